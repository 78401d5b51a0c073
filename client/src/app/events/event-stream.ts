import { EntityEvent, StreamEnd } from '#shared/event';

const EVENTS = '/api/events';
const MIN_RECONNECT_DELAY_MS = 1_000;
const MAX_RECONNECT_DELAY_MS = 60_000;
/** The server sends a heartbeat every 25 s; a connection that is silent for longer is dead. */
const SILENCE_TIMEOUT_MS = 90_000;

interface Subscriber {
  onChange: (change: EntityEvent) => void;
  /** Changes may have been missed. */
  onGap: () => void;
  /** The session may have ended. */
  onPossibleSessionEnd: () => void;
  /** The account was disabled or put to sleep, and its sessions have ended. */
  onAccountEnd: (reason: NonNullable<StreamEnd['reason']>) => void;
}

/**
 * Over HTTP/1.1 all tabs share six connections per host: a hidden tab closes its stream when another tab opens one, and
 * reopens it when it becomes visible. @returns the cleanup
 */
export function subscribeToEvents({
  onChange,
  onGap,
  onPossibleSessionEnd,
  onAccountEnd,
}: Subscriber): () => void {
  const subscription = new AbortController();
  const tabs = new BroadcastChannel('events');
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
  // A page opened in a hidden tab may be stale when it connects.
  let mayHaveMissedChanges = document.hidden;

  const open = () => {
    if (source || document.hidden || subscription.signal.aborted) return;
    source = new EventSource(EVENTS);
    source.onopen = () => {
      tabs.postMessage('opened');
      restartSilenceTimer();
      if (mayHaveMissedChanges) onGap();
      mayHaveMissedChanges = false;
    };
    source.onerror = reconnectAndCheck;
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      restartSilenceTimer();
      // A newer server may send kinds that this page does not know.
      const change = EntityEvent.safeParse(JSON.parse(data));
      if (change.success) onChange(change.data);
    });
    source.addEventListener('refresh', () => {
      restartSilenceTimer();
      onGap();
    });
    source.addEventListener('beat', () => {
      restartSilenceTimer();
      reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
    });
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      const reason = StreamEnd.safeParse(JSON.parse(data)).data?.reason;
      if (!reason) return reconnectAndCheck();
      reconnect();
      onAccountEnd(reason);
    });
  };
  const restartSilenceTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(reconnectAndCheck, SILENCE_TIMEOUT_MS);
  };
  const close = () => {
    clearTimeout(timer);
    if (source) mayHaveMissedChanges = true;
    source?.close();
    source = null;
  };
  const reconnect = () => {
    close();
    // Jitter: after a restart of the server not all clients reconnect at once.
    timer = setTimeout(open, reconnectDelayMs * (0.5 + Math.random() / 2));
    reconnectDelayMs = Math.min(2 * reconnectDelayMs, MAX_RECONNECT_DELAY_MS);
  };
  /** Does not wait for the next connection, which may be a minute away. Another tab may have signed in again. */
  const reconnectAndCheck = () => {
    reconnect();
    onPossibleSessionEnd();
  };
  const reconnectNow = () => {
    if (source || document.hidden) return;
    clearTimeout(timer);
    open();
  };
  const unsubscribe = () => {
    subscription.abort();
    close();
    tabs.close();
  };

  const { signal } = subscription;
  tabs.onmessage = () => document.hidden && close();
  document.addEventListener('visibilitychange', reconnectNow, { signal });
  for (const event of ['online', 'pageshow']) window.addEventListener(event, reconnectNow, { signal });
  window.addEventListener('pagehide', close, { signal });
  open();
  return unsubscribe;
}
