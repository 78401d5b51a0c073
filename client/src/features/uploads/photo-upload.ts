import { EventManager, type Body, type Meta, type Uppy } from '@uppy/core';
import type { MemoryDate } from '#shared/calendar-date';
import { MAX_UPLOAD_BYTES, type CreateUploadRequest } from '#shared/upload';
import { hashBlob } from '../../lib/hash-blob.ts';
import { hasGoogleAccessToken } from './remote/google-access-tokens.ts';
import { NOTICE_MS, type LocalPhoto, type PhotoFile, type RemotePhoto } from './one-photo.ts';
import { putPhoto } from './put-photo.ts';
import { withRetries } from './retries.ts';
import {
  isNotUploaded,
  isRejection,
  rejectionReason,
  RemoteConnectionError,
  statusOf,
  type UploadStep,
} from './upload-error.ts';
import { followRemoteUpload, requestRemoteUpload } from './remote/upload-remote-photo.ts';
import type { UploadSession } from './upload-session.ts';
import {
  failedStep,
  IDLE,
  uploadReducer,
  type UploadEvent,
  type UploadState,
  type WaitReason,
} from './upload-state.ts';

/** A stored photo, ready to be made into a memory. */
export interface UploadedPhoto {
  uploadURL: string;
  /** When it was taken. Saving an edit removes that from the file. */
  takenAt: MemoryDate | null;
  fileName: string;
  /** A small picture of it as a data URL, if the browser could make one. */
  thumbnail: string | null;
}

export interface UploadSteps {
  sign: (request: CreateUploadRequest) => Promise<{ uploadURL: string }>;
  /** Makes a memory of the stored photo. Idempotent: it is called again when its response was lost. */
  onUploaded: (photo: UploadedPhoto) => Promise<void>;
  /** The server rejected the photo: a retry would not help. */
  onRejected: (error: unknown, reason: string | undefined) => void;
  /** A retry may help. */
  onFailed: (step: UploadStep, error: unknown) => void;
  onState: (state: UploadState) => void;
}

type Progress = PhotoFile['progress'];

/** Uppy's own fallback for an unknown type. */
const UNKNOWN_TYPE = 'application/octet-stream';
const NOT_STARTED = {
  uploadStarted: null,
  uploadComplete: false,
  percentage: 0,
  bytesUploaded: false,
} as const;

/**
 * Our uploader for Uppy, one PUT without multipart: @uppy/aws-s3 has no option for its retry delays. `putPhoto` sends the
 * bytes, `uploadReducer` tracks the steps.
 * @returns the function that the 'Retry' button calls
 */
export function addPhotoUpload(
  uppy: Uppy<Meta, Body>,
  session: UploadSession,
  steps: () => UploadSteps,
): () => void {
  let state: UploadState = IDLE;
  const { capabilities } = uppy.getState();
  uppy.setState({ capabilities: { ...capabilities, resumableUploads: true } });
  uppy.on('restored', resetRestored);
  // The same photo may be chosen again.
  uppy.on('file-added', () => session.storeFinishedPhotoId(null));
  uppy.on('file-removed', () => dispatch({ type: 'reset' }));
  uppy.addUploader(async ([id]) => {
    if (id === undefined || !uppy.getFile(id)) return;
    dispatch({ type: 'started', uploadURL: earlierURL(id) });
    await run(id, sendBytes);
    void run(id, finish);
  });
  return () => {
    const [file] = uppy.getFiles();
    if (state.name !== 'failed' || !file) return;
    if (state.uploadURL === null) return void uppy.retryUpload(file.id);
    dispatch({ type: 'started', uploadURL: state.uploadURL });
    void run(file.id, finish);
  };

  function dispatch(event: UploadEvent): void {
    state = uploadReducer(state, event);
    steps().onState(state);
    showInUppy();
  }

  async function run(id: string, step: (id: string, cancelled: AbortSignal) => Promise<void>): Promise<void> {
    const cancelling = new AbortController();
    const events = new EventManager(uppy);
    events.onFileRemove(id, () => cancelling.abort());
    try {
      await step(id, cancelling.signal);
    } catch (error) {
      if (cancelling.signal.aborted) return;
      if (isRejection(error)) return steps().onRejected(error, rejectionReason(error));
      dispatch({ type: 'failed', error });
      if (state.name === 'failed') steps().onFailed(failedStep(state), error);
    } finally {
      events.remove();
    }
  }

  async function sendBytes(id: string, cancelled: AbortSignal): Promise<void> {
    if (state.name !== 'uploading') return;
    const uploadURL = await untilPaused(id, cancelled, (signal) => send(id, signal));
    uppy.setFileMeta(id, { storedAt: uploadURL });
    dispatch({ type: 'stored', uploadURL });
  }

  async function finish(id: string, cancelled: AbortSignal): Promise<void> {
    if (state.name !== 'finishing') return;
    const { uploadURL } = state;
    const file = uppy.getFile(id);
    const { isRestored, meta, name: fileName } = file;
    const takenAt = typeof meta['takenAt'] === 'string' ? meta['takenAt'] : null;
    const thumbnail = String(meta['thumbnail']).startsWith('data:') ? String(meta['thumbnail']) : null;
    try {
      await withRetries(
        () => steps().onUploaded({ uploadURL, takenAt, fileName, thumbnail }),
        retrying(cancelled),
      );
    } catch (error) {
      const mustBeSentAgain = isRestored ? isNotUploaded(error) : statusOf(error) === 409;
      if (cancelled.aborted || !canSend(file) || !mustBeSentAgain) throw error;
      uppy.setFileState(id, { isRestored: false, meta: { ...meta, storedAt: undefined } });
      dispatch({ type: 'missing' });
      // It arrived damaged: 'Retry' sends it again.
      if (!isRestored) throw error;
      return void uppy.retryUpload(id);
    }
    session.storeFinishedPhotoId(id);
    if (!cancelled.aborted) dispatch({ type: 'finished' });
  }

  /** After a reload a stored photo is only finished: it may already be a memory whose response was lost. */
  function earlierURL(id: string): string | null {
    const { meta, isRestored } = uppy.getFile(id);
    if (typeof meta['storedAt'] === 'string') return meta['storedAt'];
    return isRestored ? session.storedUploadURL() : null;
  }

  /** Each run asks for a new URL, in case the last one has expired. */
  async function send(id: string, signal: AbortSignal): Promise<string> {
    const file = uppy.getFile(id);
    if (!canSend(file)) throw new Error('The photo is no longer stored');
    const contentType = file.type || UNKNOWN_TYPE;
    // A remote source may not know the size.
    const sha256 = file.isRemote ? null : await hashBlob(file.data);
    const size = file.isRemote ? MAX_UPLOAD_BYTES : file.data.size;
    const announced = { contentType, size, ...(sha256 !== null && { sha256 }) };
    const signed = await withRetries(() => steps().sign(announced), retrying(signal));
    const url = new URL(signed.uploadURL, window.location.href);
    const uploadURL = url.origin + url.pathname;
    signal.throwIfAborted();
    session.storeUploadURL(uploadURL);
    if (file.isRemote) await sendRemote(file, url.href, signal);
    else {
      const { data } = file;
      const onProgress = (bytesUploaded: number) => showProgress(id, bytesUploaded, data.size);
      await withRetries(
        () => putPhoto(url.href, data, { contentType, signal, onProgress }),
        retrying(signal),
      );
    }
    return uploadURL;
  }

  /** The server fetches the photo. */
  async function sendRemote(photo: RemotePhoto, url: string, signal: AbortSignal): Promise<void> {
    const onProgress = (bytesUploaded: number, bytesTotal: number) =>
      showProgress(photo.id, bytesUploaded, bytesTotal || photo.size);
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

  function showProgress(id: string, bytesUploaded: number, bytesTotal: number | null): void {
    const progress = { uploadStarted: Date.now(), bytesUploaded, bytesTotal };
    uppy.emit('upload-progress', uppy.getFile(id), progress);
  }

  function retrying(signal: AbortSignal) {
    return {
      signal,
      onAttempt: () => dispatch({ type: 'attempted' }),
      onWait: (reason: WaitReason) => dispatch({ type: 'waiting', reason }),
    };
  }

  /** A single PUT cannot be resumed: pausing aborts it, resuming starts again. */
  async function untilPaused<Result>(
    id: string,
    cancelled: AbortSignal,
    run: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const stopping = new AbortController();
      const events = new EventManager(uppy);
      const stop = () => stopping.abort();
      cancelled.addEventListener('abort', stop);
      events.onPauseAll(id, stop);
      try {
        return await run(stopping.signal);
      } catch (error) {
        if (cancelled.aborted || !stopping.signal.aborted) throw error;
        if (uppy.getFile(id).isPaused) await resumed(id, cancelled);
        cancelled.throwIfAborted();
      } finally {
        events.remove();
        cancelled.removeEventListener('abort', stop);
      }
    }
  }

  function resumed(id: string, cancelled: AbortSignal): Promise<void> {
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

  /** A restored upload waits for the person, whichever step it was in. */
  function resetRestored(): void {
    // The photo that was chosen in the form has taken their place.
    if (uppy.getFiles().some(({ isRestored }) => !isRestored)) return;
    uppy.setState({ currentUploads: {} });
    for (const file of uppy.getFiles()) {
      if (file.id === session.finishedPhotoId()) {
        uppy.removeFile(file.id);
        uppy.setState({ info: [] });
        continue;
      }
      // The browser could not store it, or it is a memory already.
      const isMissing = !canSend(file);
      if (isMissing && !session.storedUploadURL()) {
        uppy.removeFile(file.id);
        uppy.info(uppy.i18n('recoveredXFiles', { smart_count: 1 }), 'info', NOTICE_MS);
      } else {
        uppy.setFileState(file.id, { isPaused: false, isGhost: false });
        setProgress(file.id, {});
      }
    }
  }

  /** Uppy shows the progress of bytes. In other states `UploadStatus` replaces its status bar. */
  function showInUppy(): void {
    const [file] = uppy.getFiles();
    if (!file) return;
    if (state.name === 'uploading' && !state.waiting) {
      uppy.emit('upload-start', [file]);
      uppy.emit('upload-progress', file, {
        uploadStarted: Date.now(),
        bytesUploaded: 0,
        bytesTotal: file.size,
      });
    } else if (state.name === 'done') {
      // Only now: once Uppy counts a photo as uploaded, Golden Retriever deletes it. Uppy ignores uploads without a start time.
      setProgress(file.id, { uploadStarted: Date.now() });
      uppy.emit('upload-success', uppy.getFile(file.id), { status: 200, body: {} });
    } else setProgress(file.id, {});
  }

  function setProgress(id: string, progress: Partial<Progress>): void {
    const { size } = uppy.getFile(id);
    uppy.setFileState(id, { progress: { ...NOT_STARTED, bytesTotal: size, ...progress } as Progress });
  }
}

type SendablePhoto = RemotePhoto | (LocalPhoto & { data: Blob });

/** After a reload a local photo's bytes or a picker's access token may be gone. */
function canSend(file: PhotoFile): file is SendablePhoto {
  return file.isRemote ? hasGoogleAccessToken(file.remote) : file.data instanceof Blob;
}
