import { EventManager, type Body, type Meta, type Uppy, type UppyFile } from '@uppy/core';
import type { MemoryDate } from '#shared/calendar-date';
import { putPhoto } from './put-photo.ts';
import { explainFailure, hasNotArrived, isRefusal, type UploadStep } from './upload-failure.ts';
import type { UploadSession } from './upload-session-api.ts';
import { withRetries, type WaitReason } from './with-retries.ts';

/** A photo in the store, ready to become something. */
export interface UploadedPhoto {
  uploadURL: string;
  /** When it was taken, if an edit took that from the file itself. */
  takenAt: MemoryDate | null;
}

export interface UploadSteps {
  sign: (contentType: string, size: number) => Promise<{ uploadURL: string }>;
  /** Makes something of the stored photo. Idempotent: it is called again when its answer was lost. */
  onUploaded: (photo: UploadedPhoto) => Promise<void>;
  /** The photo can't become anything: another one is needed. */
  onRefused: (error: unknown) => void;
  /** It may still become something: the uploader offers to try again. */
  onFailed: (step: UploadStep, error: unknown) => void;
}

type PhotoFile = UppyFile<Meta, Body>;
type Progress = PhotoFile['progress'];

/** Uppy's own fallback for an unknown type. */
const UNKNOWN_TYPE = 'application/octet-stream';
const WAITING: Record<WaitReason, string> = {
  offline: 'Waiting for the network',
  retry: 'No answer yet. Trying again...',
};
const NOT_STARTED = {
  uploadStarted: null,
  uploadComplete: false,
  percentage: 0,
  bytesUploaded: false,
} as const;

/**
 * Uploads a photo: uploading -> finishing -> done | failed. To Uppy it is complete once something was made of it, so
 * Uppy's own 'Retry' works for both steps. @uppy/aws-s3 can't: it has no option for the delays between its retries.
 */
export function addPhotoUpload(
  uppy: Uppy<Meta, Body>,
  session: UploadSession,
  steps: () => UploadSteps,
): void {
  const { capabilities } = uppy.getState();
  uppy.setState({ capabilities: { ...capabilities, resumableUploads: true } });
  uppy.on('restored', resetRestored);
  uppy.addUploader(async ([id]) => {
    if (id === undefined || !uppy.getFile(id)) return;
    const cancelling = new AbortController();
    const events = new EventManager(uppy);
    events.onCancelAll(id, () => cancelling.abort());
    events.onFileRemove(id, () => cancelling.abort());
    try {
      await upload(id, cancelling.signal);
    } finally {
      events.remove();
    }
  });

  async function upload(id: string, cancelled: AbortSignal): Promise<void> {
    let step: UploadStep = 'memory';
    try {
      let uploadURL = await finishEarlierUpload(id, cancelled);
      if (!uploadURL) {
        step = 'storage';
        uploadURL = await untilPaused(id, cancelled, (signal) => send(id, signal));
        uppy.setFileMeta(id, { storedAt: uploadURL });
        step = 'memory';
        await finish(id, uploadURL, cancelled);
      }
      if (!cancelled.aborted) complete(id, uploadURL);
    } catch (error) {
      if (cancelled.aborted) return;
      if (isRefusal(error)) steps().onRefused(error);
      else fail(id, step, error);
    }
  }

  /**
   * The photo may have arrived before, and a memory may even have been made of it while the answer was lost.
   * Not knowing is a failure, or there might be two memories. @returns null when the photo has to be sent
   */
  async function finishEarlierUpload(id: string, cancelled: AbortSignal): Promise<string | null> {
    const { data, meta, isRestored } = uppy.getFile(id);
    const uploadURL =
      typeof meta['storedAt'] === 'string' ? meta['storedAt'] : isRestored ? session.address() : null;
    if (!uploadURL) return null;
    try {
      await finish(id, uploadURL, cancelled);
      return uploadURL;
    } catch (error) {
      const canBeSent = isRestored && data instanceof Blob;
      if (!canBeSent || !hasNotArrived(error)) throw error;
      uppy.setFileState(id, { isRestored: false });
      return null;
    }
  }

  /** Each run asks for an address of its own, so one that has expired does no harm. */
  async function send(id: string, signal: AbortSignal): Promise<string> {
    const { data, type, size } = uppy.getFile(id);
    if (!(data instanceof Blob)) throw new Error('The photo is gone');
    const contentType = type || UNKNOWN_TYPE;
    const retrying = { signal, onWait: (reason: WaitReason) => showWaiting(id, reason) };
    const signed = await withRetries(() => {
      showSending(id);
      return steps().sign(contentType, size ?? data.size);
    }, retrying);
    const url = new URL(signed.uploadURL, window.location.href);
    const address = url.origin + url.pathname;
    signal.throwIfAborted();
    session.setAddress(address);
    await withRetries(() => {
      showSending(id);
      const onProgress = (bytesUploaded: number) =>
        uppy.emit('upload-progress', uppy.getFile(id), {
          uploadStarted: Date.now(),
          bytesUploaded,
          bytesTotal: data.size,
        });
      return putPhoto(url.href, data, { contentType, signal, onProgress });
    }, retrying);
    return address;
  }

  async function finish(id: string, uploadURL: string, signal: AbortSignal): Promise<void> {
    await withRetries(
      () => {
        setProgress(id, { postprocess: { mode: 'indeterminate', message: 'Saving your memory...' } });
        return steps().onUploaded({ uploadURL, takenAt: takenAtOf(uppy.getFile(id)) });
      },
      { signal, onWait: (reason) => showWaiting(id, reason) },
    );
  }

  /** A single PUT can't go on in its middle: pausing ends it, resuming starts it again. */
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

  function resetRestored(): void {
    // Whatever it was cut off in, also after a failure: it waits for the person, and goes through all steps again.
    uppy.setState({ error: null, currentUploads: {} });
    for (const file of uppy.getFiles()) {
      // The browser could not keep it, or it is a memory already.
      const isGone = !(file.data instanceof Blob);
      if (isGone && !session.address()) uppy.removeFile(file.id);
      else {
        uppy.setFileState(file.id, { error: null, isPaused: false, isGhost: false });
        setProgress(file.id, {});
      }
    }
  }

  function showSending(id: string): void {
    const file = uppy.getFile(id);
    if (!file) return;
    uppy.emit('upload-start', [file]);
    uppy.emit('upload-progress', file, {
      uploadStarted: Date.now(),
      bytesUploaded: 0,
      bytesTotal: file.size,
    });
  }

  function showWaiting(id: string, reason: WaitReason): void {
    setProgress(id, { preprocess: { mode: 'indeterminate', message: WAITING[reason] } });
  }

  function complete(id: string, uploadURL: string): void {
    // Uppy counts only what was started.
    setProgress(id, { uploadStarted: Date.now() });
    uppy.emit('upload-success', uppy.getFile(id), { status: 200, body: {}, uploadURL });
  }

  function fail(id: string, step: UploadStep, error: unknown): void {
    const message = explainFailure(error);
    uppy.setState({ error: message });
    uppy.setFileState(id, { error: message });
    setProgress(id, {});
    steps().onFailed(step, error);
  }

  function setProgress(id: string, progress: Partial<Progress>): void {
    const file = uppy.getFile(id);
    if (!file) return;
    uppy.setFileState(id, {
      progress: { ...NOT_STARTED, bytesTotal: file.size, ...progress } as Progress,
    });
  }
}

function takenAtOf(file: PhotoFile): MemoryDate | null {
  const { takenAt } = file.meta;
  return typeof takenAt === 'string' ? takenAt : null;
}
