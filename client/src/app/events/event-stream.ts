import { EntityEvent, StreamEnd } from '#shared/api/event';

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

/** @returns the cleanup */
export function subscribeToEvents(subscriber: Subscriber): () => void {
  const stream = new EventStream(subscriber);
  return () => stream.end();
}

/**
 * Over HTTP/1.1 all tabs share six connections per host: a hidden tab closes its stream when another tab opens one, and
 * reopens it when it becomes visible.
 */
class EventStream {
  readonly #subscriber: Subscriber;
  readonly #ending = new AbortController();
  readonly #tabs = new BroadcastChannel('events');
  #source: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
  // A page opened in a hidden tab may be stale when it connects.
  #mayHaveMissedChanges = document.hidden;

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber;
    const { signal } = this.#ending;
    const reconnectNow = () => this.#reconnectNow();
    this.#tabs.onmessage = () => document.hidden && this.#close();
    document.addEventListener('visibilitychange', reconnectNow, { signal });
    for (const event of ['online', 'pageshow']) window.addEventListener(event, reconnectNow, { signal });
    window.addEventListener('pagehide', () => this.#close(), { signal });
    this.#open();
  }

  end(): void {
    this.#ending.abort();
    this.#close();
    this.#tabs.close();
  }

  #open(): void {
    if (this.#source || document.hidden || this.#ending.signal.aborted) return;
    const { onChange, onGap } = this.#subscriber;
    const source = new EventSource(EVENTS);
    this.#source = source;
    source.onopen = () => {
      this.#tabs.postMessage('opened');
      this.#restartSilenceTimer();
      if (this.#mayHaveMissedChanges) onGap();
      this.#mayHaveMissedChanges = false;
    };
    source.onerror = () => this.#reconnectAndCheck();
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      this.#restartSilenceTimer();
      // A newer server may send kinds that this page does not know.
      const change = EntityEvent.safeParse(JSON.parse(data));
      if (change.success) onChange(change.data);
    });
    source.addEventListener('refresh', () => {
      this.#restartSilenceTimer();
      onGap();
    });
    source.addEventListener('beat', () => {
      this.#restartSilenceTimer();
      this.#reconnectDelayMs = MIN_RECONNECT_DELAY_MS;
    });
    source.addEventListener('end', ({ data }: MessageEvent<string>) => this.#onEnd(data));
  }

  #onEnd(data: string): void {
    const reason = StreamEnd.safeParse(JSON.parse(data)).data?.reason;
    if (!reason) return this.#reconnectAndCheck();
    this.#reconnect();
    this.#subscriber.onAccountEnd(reason);
  }

  #restartSilenceTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#reconnectAndCheck(), SILENCE_TIMEOUT_MS);
  }

  #close(): void {
    clearTimeout(this.#timer);
    if (this.#source) this.#mayHaveMissedChanges = true;
    this.#source?.close();
    this.#source = null;
  }

  #reconnect(): void {
    this.#close();
    // Jitter: after a restart of the server not all clients reconnect at once.
    this.#timer = setTimeout(() => this.#open(), this.#reconnectDelayMs * (0.5 + Math.random() / 2));
    this.#reconnectDelayMs = Math.min(2 * this.#reconnectDelayMs, MAX_RECONNECT_DELAY_MS);
  }

  /** Does not wait for the next connection, which may be a minute away. Another tab may have signed in again. */
  #reconnectAndCheck(): void {
    this.#reconnect();
    this.#subscriber.onPossibleSessionEnd();
  }

  #reconnectNow(): void {
    if (this.#source || document.hidden) return;
    clearTimeout(this.#timer);
    this.#open();
  }
}
