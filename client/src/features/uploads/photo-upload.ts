import { EventManager } from '@uppy/core';
import type { MemoryDate } from '#shared/dates/calendar-date';
import type { CreateUploadRequest } from '#shared/transfers/upload';
import type { PhotoUppy } from './one-photo.ts';
import { withRetries, type RetryOptions } from './retries.ts';
import { canSend, sendPhoto } from './send-photo.ts';
import { isNotUploaded, isRejection, rejectionReason, statusOf } from './upload-error.ts';
import type { UploadSession } from './upload-session.ts';
import { IDLE, uploadReducer, type UploadEvent, type UploadState } from './upload-state.ts';
import { resetRestored, showInUppy } from './photo-in-uppy.ts';

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
  onState: (state: UploadState) => void;
}

/**
 * Our uploader for Uppy, one PUT without multipart: @uppy/aws-s3 has no option for its retry delays. `sendPhoto` sends the
 * bytes, `uploadReducer` tracks the steps.
 */
export class PhotoUpload {
  #state: UploadState = IDLE;
  readonly #uppy: PhotoUppy;
  readonly #session: UploadSession;
  readonly #steps: () => UploadSteps;

  constructor(uppy: PhotoUppy, session: UploadSession, steps: () => UploadSteps) {
    this.#uppy = uppy;
    this.#session = session;
    this.#steps = steps;
    const { capabilities } = uppy.getState();
    uppy.setState({ capabilities: { ...capabilities, resumableUploads: true } });
    uppy.on('restored', () => resetRestored(uppy, session));
    // The same photo may be chosen again.
    uppy.on('file-added', () => session.storeFinishedPhotoId(null));
    uppy.on('file-removed', () => this.#dispatch({ type: 'reset' }));
    uppy.addUploader(async ([id]) => {
      if (id === undefined || !uppy.getFile(id)) return;
      this.#dispatch({ type: 'started', uploadURL: this.#earlierURL(id) });
      await this.#run(id, (cancelled) => this.#send(id, cancelled));
      void this.#run(id, (cancelled) => this.#finish(id, cancelled));
    });
  }

  /** For the 'Retry' button. */
  retry(): void {
    const [file] = this.#uppy.getFiles();
    if (this.#state.name !== 'failed' || !file) return;
    const { uploadURL } = this.#state;
    if (uploadURL === null) return void this.#uppy.retryUpload(file.id);
    this.#dispatch({ type: 'started', uploadURL });
    void this.#run(file.id, (cancelled) => this.#finish(file.id, cancelled));
  }

  #dispatch(event: UploadEvent): void {
    this.#state = uploadReducer(this.#state, event);
    this.#steps().onState(this.#state);
    showInUppy(this.#uppy, this.#state);
  }

  async #run(id: string, step: (cancelled: AbortSignal) => Promise<void>): Promise<void> {
    const cancelling = new AbortController();
    const events = new EventManager(this.#uppy);
    events.onFileRemove(id, () => cancelling.abort());
    try {
      await step(cancelling.signal);
    } catch (error) {
      if (cancelling.signal.aborted) return;
      if (isRejection(error)) return this.#steps().onRejected(error, rejectionReason(error));
      this.#dispatch({ type: 'failed', error });
    } finally {
      events.remove();
    }
  }

  async #send(id: string, cancelled: AbortSignal): Promise<void> {
    if (this.#state.name !== 'uploading') return;
    const sender = {
      uppy: this.#uppy,
      session: this.#session,
      sign: (request: CreateUploadRequest) => this.#steps().sign(request),
      retrying: (signal: AbortSignal) => this.#retrying(signal),
    };
    const uploadURL = await sendPhoto(sender, id, cancelled);
    this.#uppy.setFileMeta(id, { storedAt: uploadURL });
    this.#dispatch({ type: 'stored', uploadURL });
  }

  async #finish(id: string, cancelled: AbortSignal): Promise<void> {
    if (this.#state.name !== 'finishing') return;
    const { uploadURL } = this.#state;
    const uppy = this.#uppy;
    const file = uppy.getFile(id);
    const { isRestored, meta, name: fileName } = file;
    const takenAt = typeof meta['takenAt'] === 'string' ? meta['takenAt'] : null;
    const thumbnail = String(meta['thumbnail']).startsWith('data:') ? String(meta['thumbnail']) : null;
    try {
      const photo = { uploadURL, takenAt, fileName, thumbnail };
      await withRetries(() => this.#steps().onUploaded(photo), this.#retrying(cancelled));
    } catch (error) {
      const mustBeSentAgain = isRestored ? isNotUploaded(error) : statusOf(error) === 409;
      if (cancelled.aborted || !canSend(file) || !mustBeSentAgain) throw error;
      uppy.setFileState(id, { isRestored: false, meta: { ...meta, storedAt: undefined } });
      this.#dispatch({ type: 'missing' });
      // It arrived damaged: 'Retry' sends it again.
      if (!isRestored) throw error;
      return void uppy.retryUpload(id);
    }
    this.#session.storeFinishedPhotoId(id);
    if (!cancelled.aborted) this.#dispatch({ type: 'finished' });
  }

  /** After a reload a stored photo is only finished: it may already be a memory whose response was lost. */
  #earlierURL(id: string): string | null {
    const { meta, isRestored } = this.#uppy.getFile(id);
    if (typeof meta['storedAt'] === 'string') return meta['storedAt'];
    return isRestored ? this.#session.storedUploadURL() : null;
  }

  #retrying(signal: AbortSignal): RetryOptions {
    return {
      signal,
      onAttempt: () => this.#dispatch({ type: 'attempted' }),
      onWait: (reason) => this.#dispatch({ type: 'waiting', reason }),
    };
  }
}
