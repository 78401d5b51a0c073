import { DECODE_TIMEOUT } from '#shared/transfers/upload';
import { ApiError } from '../../lib/api/api-client.ts';
import { RemoteConnectionError, statusOf, StorageError } from './upload-error.ts';
import type { WaitReason } from './upload-state.ts';

const RETRY_DELAYS_MS = [0, 1000, 3000, 5000];
/** 507: the server's disk is full. */
const PERMANENT_SERVER_ERRORS = [501, 505, 507];

export interface RetryOptions {
  /** Aborts the delays, not the attempt. */
  signal: AbortSignal;
  onAttempt: () => void;
  onWait: (reason: WaitReason) => void;
}

/** Retries transient errors. Waiting while the browser is offline does not count as an attempt. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, onAttempt, onWait }: RetryOptions,
): Promise<Result> {
  const delays = RETRY_DELAYS_MS.values();
  for (;;) {
    if (!navigator.onLine) {
      onWait('offline');
      await untilAborted(signal, (resolve) =>
        window.addEventListener('online', () => resolve(), { once: true, signal }),
      );
    }
    try {
      onAttempt();
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
      if (!navigator.onLine) continue;
      const { value: delayMs, done } = delays.next();
      if (done) throw error;
      if (delayMs > 0) onWait('retry');
      await untilAborted(signal, (resolve) => void setTimeout(resolve, delayMs));
    }
  }
}

function untilAborted(signal: AbortSignal, start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('Aborted', 'AbortError'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    start(resolve);
  });
}

/** Whether the same request may succeed within a minute. */
export function isTransient(error: unknown): boolean {
  // Another decode would take the server as long again.
  if (error instanceof ApiError && error.body?.code === DECODE_TIMEOUT) return false;
  if (error instanceof TypeError) return true;
  if (error instanceof RemoteConnectionError) return error.message === 'Socket closed unexpectedly';
  if (error instanceof StorageError && error.status === undefined) return true;
  const status = statusOf(error);
  if (status === undefined) return false;
  return [408, 425, 429].includes(status) || (status >= 500 && !PERMANENT_SERVER_ERRORS.includes(status));
}
