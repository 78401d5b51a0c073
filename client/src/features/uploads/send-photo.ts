import { EventManager } from '@uppy/core';
import { MAX_UPLOAD_BYTES, type CreateUploadRequest } from '#shared/transfers/upload';
import { hashBlob } from '../../lib/browser/hash-blob.ts';
import type { LocalPhoto, PhotoFile, PhotoUppy, RemotePhoto } from './one-photo.ts';
import { putPhoto } from './put-photo.ts';
import { hasGoogleAccessToken } from './remote/google-access-tokens.ts';
import { followRemoteUpload, requestRemoteUpload } from './remote/upload-remote-photo.ts';
import { withRetries, type RetryOptions } from './retries.ts';
import { RemoteConnectionError } from './upload-error.ts';
import type { UploadSession } from './upload-session.ts';

/** Uppy's own fallback for an unknown type. */
const UNKNOWN_TYPE = 'application/octet-stream';

type SendablePhoto = RemotePhoto | (LocalPhoto & { data: Blob });

/** After a reload a local photo's bytes or a picker's access token may be gone. */
export function canSend(file: PhotoFile): file is SendablePhoto {
  return file.isRemote ? hasGoogleAccessToken(file.remote) : file.data instanceof Blob;
}

interface PhotoSender {
  uppy: PhotoUppy;
  session: UploadSession;
  sign: (request: CreateUploadRequest) => Promise<{ uploadURL: string }>;
  retrying: (signal: AbortSignal) => RetryOptions;
}

/**
 * A single PUT cannot be resumed: pausing aborts it, resuming starts again.
 * @returns the upload URL, without its signature
 */
export async function sendPhoto(sender: PhotoSender, id: string, cancelled: AbortSignal): Promise<string> {
  const { uppy } = sender;
  for (;;) {
    const stopping = new AbortController();
    const events = new EventManager(uppy);
    const stop = () => stopping.abort();
    cancelled.addEventListener('abort', stop);
    events.onPauseAll(id, stop);
    try {
      return await sendOnce(sender, id, stopping.signal);
    } catch (error) {
      if (cancelled.aborted || !stopping.signal.aborted) throw error;
      if (uppy.getFile(id).isPaused) await untilResumed(uppy, id, cancelled);
      cancelled.throwIfAborted();
    } finally {
      events.remove();
      cancelled.removeEventListener('abort', stop);
    }
  }
}

function untilResumed(uppy: PhotoUppy, id: string, cancelled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const events = new EventManager(uppy);
    const end = () => {
      events.remove();
      resolve();
    };
    events.onResumeAll(id, end);
    cancelled.addEventListener('abort', end, { once: true });
  });
}

/** Asks for a new URL, in case the last one has expired. */
async function sendOnce(sender: PhotoSender, id: string, signal: AbortSignal): Promise<string> {
  const { uppy, session, sign, retrying } = sender;
  const file = uppy.getFile(id);
  if (!canSend(file)) throw new Error('The photo is no longer stored');
  const contentType = file.type || UNKNOWN_TYPE;
  // A remote source may not know the size.
  const sha256 = file.isRemote ? null : await hashBlob(file.data);
  const size = file.isRemote ? MAX_UPLOAD_BYTES : file.data.size;
  const announced = { contentType, size, ...(sha256 !== null && { sha256 }) };
  const signed = await withRetries(() => sign(announced), retrying(signal));
  const url = new URL(signed.uploadURL, window.location.href);
  const uploadURL = url.origin + url.pathname;
  signal.throwIfAborted();
  session.storeUploadURL(uploadURL);
  if (file.isRemote) await sendRemote(sender, file, url.href, signal);
  else {
    const { data } = file;
    const onProgress = (bytesUploaded: number) => showProgress(uppy, id, bytesUploaded, data.size);
    await withRetries(() => putPhoto(url.href, data, { contentType, signal, onProgress }), retrying(signal));
  }
  return uploadURL;
}

/** The server fetches the photo. */
async function sendRemote(
  { uppy, retrying }: PhotoSender,
  photo: RemotePhoto,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const onProgress = (bytesUploaded: number, bytesTotal: number) =>
    showProgress(uppy, photo.id, bytesUploaded, bytesTotal || photo.size);
  let token: string | null = null;
  const attempt = async () => {
    token ??= await requestRemoteUpload(photo, url, signal);
    try {
      await followRemoteUpload(token, { signal, onProgress });
    } catch (error) {
      // A lost connection is opened again; a failed transfer starts again.
      if (!(error instanceof RemoteConnectionError)) token = null;
      throw error;
    }
  };
  try {
    await withRetries(attempt, retrying(signal));
  } catch (error) {
    // The photo may be stored: 'Retry' looks at the upload URL first.
    if (error instanceof RemoteConnectionError) uppy.setFileState(photo.id, { isRestored: true });
    throw error;
  }
}

function showProgress(uppy: PhotoUppy, id: string, bytesUploaded: number, bytesTotal: number | null): void {
  const progress = { uploadStarted: Date.now(), bytesUploaded, bytesTotal };
  uppy.emit('upload-progress', uppy.getFile(id), progress);
}
