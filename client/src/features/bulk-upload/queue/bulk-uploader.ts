import type { QueryClient } from '@tanstack/react-query';
import { ApiError, isAlbumFull, isLostSession, serverMessage } from '../../../lib/api/api-client.ts';
import { userQuery } from '../../users/current-user.ts';
import { deliverPhoto, UploadBatch } from './deliver-photo.ts';
import { holdingLock, keepScreenOn } from './page-locks.ts';
import { withRetries, UnreadableError } from './with-retries.ts';
import { PhotoStore, type PhotoCounts } from './photo-store.ts';
import { preparePhotos } from './prepare-photos.ts';
import { UNREADABLE, type ChosenFile } from './queued-photo.ts';
import { openUploadQueue, type UploadQueue } from './upload-queue.ts';

/** With the question which photos are known, at most six requests at a time. */
const SENDERS = 5;
const EMIT_INTERVAL_MS = 100;

/** `other-tab`: another tab of this browser sends them. */
export type UploaderStatus =
  'idle' | 'sending' | 'paused' | 'offline' | 'waiting' | 'signed-out' | 'other-tab';

export interface UploaderSnapshot extends PhotoCounts {
  status: UploaderStatus;
}

const uploaders = new Map<string, Promise<BulkUploader>>();

/** The same one for each page, so that it goes on while the person looks at another. */
export function getBulkUploader(ownerId: string, client: QueryClient): Promise<BulkUploader> {
  const existing = uploaders.get(ownerId);
  if (existing) return existing;
  const opened = openUploadQueue(ownerId).then(async (queue) => {
    const uploader = new BulkUploader(ownerId, queue);
    await uploader.open();
    // The next person at this browser must not get the photos.
    client.getQueryCache().subscribe(() => {
      if (client.getQueryData(userQuery.queryKey)?.id !== ownerId) uploader.pause();
    });
    return uploader;
  });
  uploaders.set(ownerId, opened);
  opened.catch(() => uploaders.delete(ownerId));
  return opened;
}

/** Adds many photos to an account's album, and goes on where it was after a reload. */
export class BulkUploader {
  readonly #ownerId: string;
  readonly #queue: UploadQueue;
  readonly #store: PhotoStore;
  readonly #batch: UploadBatch;
  readonly #listeners = new Set<() => void>();
  /** For the photos that are sent from now on. */
  #petId: string | null = null;
  #status: UploaderStatus = 'idle';
  #snapshot: UploaderSnapshot;
  #run: AbortController | null = null;
  #lastRun: Promise<void> = Promise.resolve();
  #emitTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(ownerId: string, queue: UploadQueue) {
    this.#ownerId = ownerId;
    this.#queue = queue;
    this.#store = new PhotoStore(ownerId, queue, () => this.#emit());
    this.#batch = new UploadBatch(queue);
    this.#snapshot = this.#takeSnapshot();
  }

  async open(): Promise<void> {
    await this.#store.read();
    this.#snapshot = this.#takeSnapshot();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): UploaderSnapshot => this.#snapshot;

  setDetails({ petId }: { petId: string | null }): void {
    this.#petId = petId;
  }

  /** Those that are in the queue already get their bytes, and are not added again. Starts. */
  async add(chosen: ChosenFile[]): Promise<void> {
    await this.#store.add(chosen);
    this.start();
  }

  start(): void {
    if (this.#run || this.#store.nextGroup(1).length === 0) return;
    const controller = new AbortController();
    this.#run = controller;
    // One that was paused may not have ended yet.
    this.#lastRun = this.#lastRun.then(() => this.#runAlone(controller));
  }

  pause(): void {
    if (!this.#run) return;
    this.#run.abort();
    this.#run = null;
    this.#setStatus('paused');
  }

  async retryFailed(): Promise<void> {
    const failed = this.#store.filter(({ state, canRetry }) => state === 'failed' && canRetry);
    await this.#store.update(failed.map((photo) => ({ ...photo, state: 'waiting', reason: null })));
    this.start();
  }

  /** After the photos of these memories came back from the trash. */
  async markRestored(memoryIds: string[]): Promise<void> {
    const restored = new Set(memoryIds);
    const changed = this.#store.filter(
      ({ state, memoryId }) => state === 'in-trash' && memoryId !== null && restored.has(memoryId),
    );
    await this.#store.update(changed.map((photo) => ({ ...photo, state: 'in-album' })));
  }

  /** Of the photos sent last; null if none were. */
  findBatch(): Promise<string | null> {
    return this.#queue.findBatch();
  }

  /** Forgets all photos, for the next ones. */
  async clear(): Promise<void> {
    this.pause();
    await this.#store.clear();
    await this.#batch.forget();
    this.#setStatus('idle');
  }

  async #runAlone(controller: AbortController): Promise<void> {
    const { signal } = controller;
    const onBusy = () => this.#setStatus('other-tab');
    try {
      await holdingLock(`bulk-upload ${this.#ownerId}`, { signal, onBusy }, async () => {
        await this.#store.read();
        await this.#sendAll(signal);
      });
      if (!signal.aborted) this.#setStatus('idle');
    } catch (error) {
      if (!signal.aborted) this.#setStatus(isLostSession(error) ? 'signed-out' : 'paused');
    }
    if (this.#run === controller) this.#run = null;
    // Photos that came while the last ones were finished.
    if (this.#status === 'idle') this.start();
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    this.#setStatus('sending');
    const releaseWakeLock = keepScreenOn();
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const prepared = preparePhotos({
      store: this.#store,
      signal: either,
      withRetries: (attempt) => this.#withRetries(attempt, either),
    });
    const sendNext = async () => {
      for (;;) {
        const { value: id, done } = await prepared.next();
        if (done) return;
        await this.#send(id, either);
      }
    };
    try {
      await Promise.all(Array.from({ length: SENDERS }, sendNext));
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stop.abort();
      releaseWakeLock();
    }
  }

  async #send(id: number, signal: AbortSignal): Promise<void> {
    const file = this.#store.fileOf(id);
    if (!file) return;
    try {
      const { before, ...memory } = await this.#withRetries(
        () => this.#deliver(id, file, signal),
        signal,
        file,
      );
      await this.#store.change(id, {
        state: before === 'none' ? 'added' : before === 'album' ? 'in-album' : 'in-trash',
        memoryId: memory.id,
        imageUrl: memory.imageUrl,
        hasDate: memory.memoryDate !== null,
      });
    } catch (error) {
      if (signal.aborted || isLostSession(error)) throw error;
      const canRetry = !(error instanceof ApiError && [413, 415, 422].includes(error.status));
      const reason =
        error instanceof UnreadableError
          ? UNREADABLE
          : (serverMessage(error) ?? 'This photo could not be sent. Please try again.');
      await this.#store.change(id, { state: 'failed', reason, canRetry, isAlbumFull: isAlbumFull(error) });
    }
  }

  #deliver(id: number, file: ChosenFile, signal: AbortSignal) {
    return deliverPhoto({
      photo: this.#store.get(id)!,
      file,
      petId: this.#petId,
      batch: this.#batch,
      onSigned: (uploadURL) => this.#store.change(id, { uploadURL }),
      signal,
    });
  }

  #withRetries<Result>(
    attempt: () => Promise<Result>,
    signal: AbortSignal,
    file?: ChosenFile,
  ): Promise<Result> {
    return withRetries(attempt, {
      signal,
      file,
      onWait: () => this.#setStatus(navigator.onLine ? 'waiting' : 'offline'),
      onResult: () => {
        if (this.#status === 'waiting' || this.#status === 'offline') this.#setStatus('sending');
      },
    });
  }

  #setStatus(status: UploaderStatus): void {
    this.#status = status;
    this.#emit();
  }

  #emit(): void {
    this.#emitTimer ??= setTimeout(() => {
      this.#emitTimer = null;
      this.#snapshot = this.#takeSnapshot();
      for (const listener of this.#listeners) listener();
    }, EMIT_INTERVAL_MS);
  }

  #takeSnapshot(): UploaderSnapshot {
    return { status: this.#status, ...this.#store.count() };
  }
}
