import { fetcher, NetworkError } from '@uppy/core/utils';

/** Longer than a slow store takes to answer after the last byte. */
const SILENCE_TIMEOUT_MS = 60_000;

/** The store did not take the photo; without a status when no answer came. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  constructor(
    readonly status: number | undefined,
    readonly body: string,
  ) {
    super(`The storage answered ${status ?? 'nothing'}`);
  }
}

interface PutOptions {
  contentType: string;
  signal: AbortSignal;
  onProgress: (bytesUploaded: number) => void;
}

/** Puts a photo to a signed address, once. @throws StorageError, AbortError */
export async function putPhoto(
  url: string,
  photo: Blob,
  { contentType, signal, onProgress }: PutOptions,
): Promise<void> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.throwIfAborted();
  signal.addEventListener('abort', abort);
  // Some browsers keep a request open that will never be answered.
  window.addEventListener('offline', abort);
  try {
    await fetcher(url, {
      method: 'PUT',
      headers: { 'Content-Type': contentType },
      body: photo,
      // Its delays are fixed; `withRetries` has ours.
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
