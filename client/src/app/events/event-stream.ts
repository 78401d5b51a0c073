import { AccountChange } from '#shared/account-event';

const EVENTS = '/api/events';
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** The server lets itself be heard every 25 s: a connection that is silent for longer has died without a word. */
const LONGEST_SILENCE_MS = 90_000;

interface Follower {
  onChange: (change: AccountChange) => void;
  /** Changes may have been missed. */
  onGap: () => void;
}

/**
 * Follows the account's events, and comes back when they break off. A browser has six connections to a host that
 * speaks HTTP/1.1, for all tabs together: a tab out of sight gives its own up as soon as another one opens one, and
 * asks again when it is looked at.
 * @returns what ends it
 */
export function subscribeToEvents({ onChange, onGap }: Follower): () => void {
  const following = new AbortController();
  const tabs = new BroadcastChannel('events');
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  // What a page shows that was opened out of sight may be old by then.
  let hasMissed = document.hidden;

  const open = () => {
    if (source || document.hidden || following.signal.aborted) return;
    source = new EventSource(EVENTS);
    source.onopen = () => {
      tabs.postMessage('opened');
      hear();
      if (hasMissed) onGap();
      hasMissed = false;
    };
    source.onerror = comeBack;
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      hear();
      // A newer server may speak of what this page does not know yet.
      const change = AccountChange.safeParse(JSON.parse(data));
      if (change.success) onChange(change.data);
    });
    source.addEventListener('refresh', () => {
      hear();
      onGap();
    });
    source.addEventListener('beat', () => {
      hear();
      pauseMs = FIRST_PAUSE_MS;
    });
    // The session is over, which whatever is asked next will notice; another tab may sign in again meanwhile.
    source.addEventListener('end', close);
  };
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(comeBack, LONGEST_SILENCE_MS);
  };
  const close = () => {
    clearTimeout(timer);
    if (source) hasMissed = true;
    source?.close();
    source = null;
  };
  const comeBack = () => {
    close();
    // Not all at the same moment, when a server has restarted.
    timer = setTimeout(open, pauseMs * (0.5 + Math.random() / 2));
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  };
  const comeBackNow = () => {
    if (source || document.hidden) return;
    clearTimeout(timer);
    open();
  };
  const stop = () => {
    following.abort();
    close();
    tabs.close();
  };

  const { signal } = following;
  tabs.onmessage = () => document.hidden && close();
  document.addEventListener('visibilitychange', comeBackNow, { signal });
  for (const event of ['online', 'pageshow']) window.addEventListener(event, comeBackNow, { signal });
  window.addEventListener('pagehide', close, { signal });
  open();
  return stop;
}
