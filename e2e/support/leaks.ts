/** Listeners of window and document by event, and animation frames requested while idle. */
export type LiveResources = { listeners: Record<string, number>; frames: number };

declare global {
  interface Window {
    getLiveResources: () => Promise<LiveResources>;
  }
}

/** Install it as an init script. */
export function countLiveResources(): void {
  const listeners = new Map<string, Set<unknown>>();
  const keyOf = (target: unknown, type: string, options: boolean | AddEventListenerOptions | undefined) =>
    `${target === window ? 'window' : 'document'} ${type} ${typeof options === 'object' ? !!options.capture : !!options}`;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- both are called on what they were called on
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const forget = (key: string, listener: unknown) => listeners.get(key)?.delete(listener);
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    addEventListener.call(this, type, listener, options);
    if ((this as unknown) !== window && (this as unknown) !== document) return;
    const key = keyOf(this, type, options);
    listeners.set(key, (listeners.get(key) ?? new Set()).add(listener));
    if (typeof options === 'object') options.signal?.addEventListener('abort', () => forget(key, listener));
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    removeEventListener.call(this, type, listener, options);
    forget(keyOf(this, type, options), listener);
  };
  const askForFrame = window.requestAnimationFrame.bind(window);
  let asked = 0;
  window.requestAnimationFrame = (callback) => {
    asked++;
    return askForFrame(callback);
  };
  const frame = () => new Promise((resolve) => askForFrame(resolve));
  window.getLiveResources = async () => {
    // Wait until the gallery has finished rendering.
    do {
      asked = 0;
      await frame();
      await frame();
      await frame();
    } while (asked > 0 && performance.now() < 60_000);
    const counts = [...listeners]
      .map(([key, { size }]) => [key, size] as const)
      .filter(([, size]) => size > 0);
    return { listeners: Object.fromEntries(counts.sort()), frames: asked };
  };
}
