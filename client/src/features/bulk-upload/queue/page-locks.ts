/**
 * Waits while another tab holds it. Without https there are no locks: the server adds each photo once all the same.
 * @throws if it is aborted
 */
export async function holdingLock(
  name: string,
  { signal, onBusy }: { signal: AbortSignal; onBusy: () => void },
  work: () => Promise<void>,
): Promise<void> {
  if (!('locks' in navigator)) return work();
  const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work();
    return lock !== null;
  });
  if (isFree) return;
  onBusy();
  await navigator.locks.request(name, { signal }, work);
}

/** While photos are sent: a phone that sleeps stops sending. @returns its end */
export function keepScreenOn(): () => void {
  let isEnded = false;
  let release = () => {};
  const request = async () => {
    if (isEnded || document.hidden || !('wakeLock' in navigator)) return;
    try {
      const lock = await navigator.wakeLock.request('screen');
      release = () => void lock.release();
      if (isEnded) release();
    } catch {
      // The battery is low: the photos are sent all the same.
    }
  };
  const onVisible = () => void request();
  document.addEventListener('visibilitychange', onVisible);
  void request();
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', onVisible);
    release();
  };
}
