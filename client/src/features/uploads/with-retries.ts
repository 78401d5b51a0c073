import { isTransient } from './upload-failure.ts';

/** Pauses before the second attempt, the third, ... */
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000];

export type WaitReason = 'offline' | 'retry';

interface RetryOptions {
  /** Ends the waiting. Stopping the attempt itself is the attempt's job. */
  signal: AbortSignal;
  onWait: (reason: WaitReason) => void;
}

/** Repeats what failed for a moment only. While the browser is offline it waits, and that costs no attempt. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, onWait }: RetryOptions,
): Promise<Result> {
  const delays = RETRY_DELAYS_MS.values();
  for (;;) {
    if (!navigator.onLine) {
      onWait('offline');
      await backOnline(signal);
    }
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      if (!navigator.onLine) continue;
      const { value: delayMs, done } = delays.next();
      if (done) throw error;
      if (delayMs > 0) onWait('retry');
      await sleep(delayMs, signal);
    }
  }
}

function backOnline(signal: AbortSignal): Promise<void> {
  return untilAborted(signal, (resolve) =>
    window.addEventListener('online', () => resolve(), { once: true, signal }),
  );
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return untilAborted(signal, (resolve) => void setTimeout(resolve, ms));
}

function untilAborted(signal: AbortSignal, start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('Aborted', 'AbortError'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    start(resolve);
  });
}
