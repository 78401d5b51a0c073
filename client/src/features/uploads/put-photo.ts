import { fetcher, NetworkError } from '@uppy/core/utils';
import { isTransient, StorageError } from './upload-error.ts';
import type { WaitReason } from './upload-state.ts';

/** A slow object storage may take long to respond after the last byte. */
const SILENCE_TIMEOUT_MS = 60_000;

interface PutOptions {
  contentType: string;
  signal: AbortSignal;
  onProgress: (bytesUploaded: number) => void;
}

/** Uploads to a signed URL, without retries. @throws StorageError, AbortError */
export async function putPhoto(
  url: string,
  photo: Blob,
  { contentType, signal, onProgress }: PutOptions,
): Promise<void> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.throwIfAborted();
  signal.addEventListener('abort', abort);
  // Some browsers keep the request pending when they go offline.
  window.addEventListener('offline', abort);
  try {
    await fetcher(url, {
      method: 'PUT',
      headers: { 'Content-Type': contentType },
      body: photo,
      // Uppy's delays are not configurable: `withRetries` retries instead.
      retries: 0,
      timeout: SILENCE_TIMEOUT_MS,
      onTimeout: abort,
      signal: controller.signal,
      onUploadProgress: ({ loaded }) => onProgress(loaded),
    });
  } catch (error) {
    signal.throwIfAborted();
    const request = error instanceof NetworkError ? error.request : null;
    throw new StorageError(request?.status || undefined, request?.responseText ?? '');
  } finally {
    signal.removeEventListener('abort', abort);
    window.removeEventListener('offline', abort);
  }
}

const RETRY_DELAYS_MS = [0, 1000, 3000, 5000];

interface RetryOptions {
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
