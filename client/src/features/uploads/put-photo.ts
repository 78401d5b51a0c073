import { fetcher, NetworkError } from '@uppy/core/utils';
import { StorageError } from './upload-error.ts';

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
