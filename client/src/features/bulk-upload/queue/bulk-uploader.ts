import type { QueryClient } from '@tanstack/react-query';
import { v4 as uuidv4 } from 'uuid';
import { CompletedUpload } from '#shared/memory';
import { MAX_FILE_NAME_LENGTH } from '#shared/date-source';
import { KnownPhotos, Upload } from '#shared/upload';
import { isTransient } from '../../uploads/retries.ts';
import { userQuery } from '../../users/current-user.ts';
import { ApiError, apiPost, apiPostEmpty, isLostSession, serverMessage } from '../../../lib/api-client.ts';
import {
  findFault,
  isIgnored,
  nameOf,
  toKey,
  UNREADABLE,
  type ChosenFile,
  type PhotoState,
  type QueuedPhoto,
} from './queued-photo.ts';
import { openUploadQueue, type UploadQueue } from './upload-queue.ts';

/** With the question which photos are known, at most six requests at a time. */
const SENDERS = 5;
const GROUP_SIZE = 25;
const MAX_ATTEMPTS = 8;
const MAX_DELAY_MS = 30_000;
const PUT_TIMEOUT_MS = 15 * 60_000;
const EMIT_INTERVAL_MS = 100;

/** `other-tab`: another tab of this browser sends them. */
export type UploaderStatus =
  'idle' | 'sending' | 'paused' | 'offline' | 'waiting' | 'signed-out' | 'other-tab';

export interface UploaderSnapshot {
  status: UploaderStatus;
  counts: Record<PhotoState, number>;
  total: number;
  /** Waiting photos whose files must be chosen again. */
  missingFiles: number;
  /** The same array until a photo changes. */
  photos: readonly QueuedPhoto[];
}

/** Details for the photos that are sent from now on. */
export interface AddDetails {
  petId: string | null;
}

/** Adds many photos to an account's album, and goes on where it was after a reload. */
export interface BulkUploader {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => UploaderSnapshot;
  setDetails: (details: AddDetails) => void;
  /** Those that are in the queue already get their bytes, and are not added again. Starts. */
  add: (chosen: ChosenFile[]) => Promise<void>;
  start: () => void;
  pause: () => void;
  retryFailed: () => Promise<void>;
  /** After the photos of these memories came back from the trash. */
  markRestored: (memoryIds: string[]) => Promise<void>;
  /** Of the photos sent last; null if none were. */
  findBatch: () => Promise<string | null>;
  /** Forgets all photos, for the next ones. */
  clear: () => Promise<void>;
}

const uploaders = new Map<string, Promise<BulkUploader>>();

/** The same one for each page, so that it goes on while the person looks at another. */
export function getBulkUploader(ownerId: string, client: QueryClient): Promise<BulkUploader> {
  const existing = uploaders.get(ownerId);
  if (existing) return existing;
  const opened = openUploadQueue(ownerId).then(async (queue) => {
    const uploader = await createBulkUploader(ownerId, queue);
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

async function createBulkUploader(ownerId: string, queue: UploadQueue): Promise<BulkUploader> {
  const photos = new Map<number, QueuedPhoto>();
  const idsByKey = new Map<string, number>();
  const files = new Map<number, ChosenFile>();
  const listeners = new Set<() => void>();
  let details: AddDetails = { petId: null };
  let status: UploaderStatus = 'idle';
  let run: AbortController | null = null;
  let lastRun: Promise<void> = Promise.resolve();
  let emitTimer: ReturnType<typeof setTimeout> | null = null;
  await readQueue();
  let snapshot = takeSnapshot();

  /** Another tab may have changed it. */
  async function readQueue(): Promise<void> {
    for (const photo of await queue.list()) {
      photos.set(photo.id, photo);
      idsByKey.set(toKey(photo), photo.id);
    }
  }

  function takeSnapshot(): UploaderSnapshot {
    const counts: UploaderSnapshot['counts'] = {
      waiting: 0,
      added: 0,
      'in-album': 0,
      'in-trash': 0,
      failed: 0,
    };
    let missingFiles = 0;
    for (const { id, state } of photos.values()) {
      counts[state]++;
      if (state === 'waiting' && !files.has(id)) missingFiles++;
    }
    return { status, counts, total: photos.size, missingFiles, photos: [...photos.values()] };
  }

  function emit(): void {
    emitTimer ??= setTimeout(() => {
      emitTimer = null;
      snapshot = takeSnapshot();
      for (const listener of listeners) listener();
    }, EMIT_INTERVAL_MS);
  }

  function setStatus(next: UploaderStatus): void {
    status = next;
    emit();
  }

  async function update(changed: QueuedPhoto[]): Promise<void> {
    for (const photo of changed) {
      photos.set(photo.id, photo);
      if (photo.state !== 'waiting' && photo.state !== 'failed') files.delete(photo.id);
    }
    emit();
    await queue.update(changed);
  }

  async function change(id: number, changes: Partial<QueuedPhoto>): Promise<void> {
    const photo = photos.get(id);
    // It was forgotten meanwhile.
    if (photo) await update([{ ...photo, ...changes }]);
  }

  async function addChosen(chosen: ChosenFile[]): Promise<void> {
    const added: { photo: Omit<QueuedPhoto, 'id'>; file: ChosenFile }[] = [];
    const again: QueuedPhoto[] = [];
    const keys = new Set<string>();
    for (const file of chosen) {
      if (isIgnored(file)) continue;
      const { path, size, lastModified, details: own = {} } = file;
      const key = toKey({ path, size, lastModified });
      const id = idsByKey.get(key);
      const known = id === undefined ? undefined : photos.get(id);
      if (known?.state === 'waiting') files.set(known.id, file);
      if (known?.state === 'failed' && known.canRetry) {
        files.set(known.id, file);
        again.push({ ...known, state: 'waiting', reason: null });
      }
      if (known || keys.has(key)) continue;
      keys.add(key);
      const reason = findFault(file);
      const state = reason === null ? 'waiting' : 'failed';
      added.push({
        photo: { ownerId, path, size, lastModified, state, reason, details: own, ...NEW_PHOTO },
        file,
      });
    }
    if (again.length > 0) await update(again);
    const stored = await queue.add(added.map(({ photo }) => photo));
    for (const [index, photo] of stored.entries()) {
      photos.set(photo.id, photo);
      idsByKey.set(toKey(photo), photo.id);
      if (photo.state === 'waiting') files.set(photo.id, added[index]!.file);
    }
    emit();
  }

  function start(): void {
    if (run || nextGroup(new Set()).length === 0) return;
    const controller = new AbortController();
    run = controller;
    // One that was paused may not have ended yet.
    lastRun = lastRun.then(() => runAlone(controller));
  }

  async function runAlone(controller: AbortController): Promise<void> {
    const { signal } = controller;
    const onBusy = () => setStatus('other-tab');
    try {
      await holdingLock(`bulk-upload ${ownerId}`, { signal, onBusy }, async () => {
        await readQueue();
        await sendAll(signal);
      });
      if (!signal.aborted) setStatus('idle');
    } catch (error) {
      if (!signal.aborted) setStatus(isLostSession(error) ? 'signed-out' : 'paused');
    }
    if (run === controller) run = null;
    // Photos that came while the last ones were finished.
    if (status === 'idle') start();
  }

  function pause(): void {
    if (!run) return;
    run.abort();
    run = null;
    setStatus('paused');
  }

  async function sendAll(signal: AbortSignal): Promise<void> {
    setStatus('sending');
    const releaseWakeLock = keepScreenOn();
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const prepared = preparePhotos(either);
    const sendNext = async () => {
      for (;;) {
        const { value: id, done } = await prepared.next();
        if (done) return;
        await send(id, either);
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

  function nextGroup(taken: Set<number>): QueuedPhoto[] {
    const group: QueuedPhoto[] = [];
    for (const photo of photos.values()) {
      if (group.length === GROUP_SIZE) break;
      if (photo.state === 'waiting' && files.has(photo.id) && !taken.has(photo.id)) group.push(photo);
    }
    return group;
  }

  /** The ids of photos that the album does not have, as far as their hashes tell. */
  async function* preparePhotos(signal: AbortSignal): AsyncGenerator<number, void> {
    const taken = new Set<number>();
    for (let group = nextGroup(taken); group.length > 0; group = nextGroup(taken)) {
      for (const { id } of group) taken.add(id);
      for (const { id, sha256 } of group) {
        signal.throwIfAborted();
        const file = files.get(id);
        if (sha256 !== null || !file) continue;
        try {
          const hash = await hashOf(file);
          if (hash !== null) await change(id, { sha256: hash });
        } catch {
          files.delete(id);
          await change(id, { state: 'failed', reason: UNREADABLE, canRetry: true });
        }
      }
      const waiting = group.map(({ id }) => photos.get(id)!).filter(({ state }) => state === 'waiting');
      yield* await withoutKnown(waiting, signal);
    }
  }

  async function withoutKnown(group: QueuedPhoto[], signal: AbortSignal): Promise<number[]> {
    const hashes = new Set(group.flatMap(({ sha256 }) => sha256 ?? []));
    if (hashes.size === 0) return group.map(({ id }) => id);
    const { known } = await persist(signal, () =>
      apiPost('/api/uploads/known', { hashes: [...hashes] }, KnownPhotos, {}, signal),
    );
    const found = new Map(known.map((each) => [each.sha256, each]));
    const isKnown = ({ sha256, uploadURL }: QueuedPhoto) =>
      // One that was being sent may be known because it arrived: completing it says so.
      uploadURL === null && sha256 !== null && found.has(sha256);
    await update(
      group.filter(isKnown).map((photo): QueuedPhoto => {
        const { memoryId, isDeleted } = found.get(photo.sha256!)!;
        return { ...photo, state: isDeleted ? 'in-trash' : 'in-album', memoryId };
      }),
    );
    return group.filter((photo) => !isKnown(photo)).map(({ id }) => id);
  }

  async function send(id: number, signal: AbortSignal): Promise<void> {
    const file = files.get(id);
    if (!file) return;
    try {
      const { before, ...memory } = await persist(signal, () => deliver(id, file, signal), file);
      await change(id, {
        state: before === 'none' ? 'added' : before === 'album' ? 'in-album' : 'in-trash',
        memoryId: memory.id,
        imageUrl: memory.imageUrl,
        hasDate: memory.memoryDate !== null,
      });
    } catch (error) {
      if (signal.aborted || isLostSession(error)) throw error;
      const canRetry = !(error instanceof ApiError) || ![413, 415, 422].includes(error.status);
      const reason =
        error instanceof UnreadableError
          ? UNREADABLE
          : (serverMessage(error) ?? 'This photo could not be sent. Please try again.');
      await change(id, { state: 'failed', reason, canRetry });
    }
  }

  /** One attempt. A stored photo is only completed, which can be repeated. */
  async function deliver(id: number, file: ChosenFile, signal: AbortSignal): Promise<CompletedUpload> {
    const photo = photos.get(id)!;
    const complete = (uploadURL: string) =>
      apiPost(
        '/api/memories/complete-upload',
        {
          uploadURL,
          fileName: nameOf(photo).slice(-MAX_FILE_NAME_LENGTH),
          ...(details.petId && { petId: details.petId }),
          ...photo.details,
        },
        CompletedUpload,
        {},
        signal,
      );
    const { uploadURL: earlier, sha256 } = photo;
    if (earlier !== null) {
      try {
        return await complete(earlier);
      } catch (error) {
        if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error;
      }
    }
    const body = await file.read().catch(() => {
      throw new UnreadableError();
    });
    const contentType = file.type || 'application/octet-stream';
    const batchId = await getBatchId();
    const request = {
      contentType,
      size: body.size,
      batchId,
      ...(sha256 !== null && { sha256 }),
      // Otherwise the interrupted ones would soon be as many as may be open.
      ...(earlier !== null && { replaces: earlier }),
    };
    const signed = await apiPost('/api/objects/upload', request, Upload, {}, signal).catch(
      async (error: unknown) => {
        // The batch was finished elsewhere.
        if (error instanceof ApiError && error.status === 409) await queue.setBatch(null);
        throw error;
      },
    );
    const url = new URL(signed.uploadURL, window.location.href);
    const uploadURL = url.origin + url.pathname;
    await change(id, { uploadURL });
    const put = await fetch(url, {
      method: 'PUT',
      headers: { 'Content-Type': contentType },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PUT_TIMEOUT_MS)]),
    });
    if (!put.ok) throw new ApiError(put.status, await put.text(), put.headers.get('Retry-After'));
    return complete(uploadURL);
  }

  let startedBatch: string | null = null;
  let startingBatch: Promise<string> | null = null;
  function getBatchId(): Promise<string> {
    startingBatch ??= startBatch().finally(() => (startingBatch = null));
    return startingBatch;
  }
  async function startBatch(): Promise<string> {
    const batchId = (await queue.findBatch()) ?? uuidv4();
    if (batchId === startedBatch) return batchId;
    await queue.setBatch(batchId);
    await apiPostEmpty('/api/batches', { id: batchId });
    return (startedBatch = batchId);
  }

  /** Repeats what may succeed later: without a connection as long as it takes, with one up to MAX_ATTEMPTS times. */
  async function persist<Result>(
    signal: AbortSignal,
    attempt: () => Promise<Result>,
    file?: ChosenFile,
  ): Promise<Result> {
    for (let attempts = 1; ;) {
      signal.throwIfAborted();
      try {
        const result = await attempt();
        if (status === 'waiting' || status === 'offline') setStatus('sending');
        return result;
      } catch (error) {
        signal.throwIfAborted();
        const isNetwork = isNetworkError(error);
        if (isNetwork && file && !(await isReadable(file))) throw new UnreadableError();
        if (!isNetwork && !isConflict(error) && !isTransient(error)) throw error;
        if (!isNetwork && !isBusy(error) && attempts++ >= MAX_ATTEMPTS) throw error;
        const retryAfter = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
        setStatus(navigator.onLine ? 'waiting' : 'offline');
        await pauseFor(Math.max(retryAfter, Math.min(1000 * 2 ** attempts, MAX_DELAY_MS)), signal);
      }
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    setDetails: (next) => (details = next),
    async add(chosen) {
      await addChosen(chosen);
      start();
    },
    start,
    pause,
    async retryFailed() {
      const failed = [...photos.values()].filter(({ state, canRetry }) => state === 'failed' && canRetry);
      await update(failed.map((photo) => ({ ...photo, state: 'waiting', reason: null })));
      start();
    },
    async markRestored(memoryIds) {
      const restored = new Set(memoryIds);
      const changed = [...photos.values()].filter(
        ({ state, memoryId }) => state === 'in-trash' && memoryId && restored.has(memoryId),
      );
      await update(changed.map((photo) => ({ ...photo, state: 'in-album' })));
    },
    findBatch: () => queue.findBatch(),
    async clear() {
      pause();
      photos.clear();
      idsByKey.clear();
      files.clear();
      await queue.clear();
      await queue.setBatch(null);
      setStatus('idle');
    },
  };
}

const NEW_PHOTO = {
  sha256: null,
  uploadURL: null,
  memoryId: null,
  imageUrl: null,
  hasDate: true,
  canRetry: false,
};

class UnreadableError extends Error {}

function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** The server asks to wait: that is no failure of the photo. */
function isBusy(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

/** The photo is sent to a new URL, or with a new batch. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

async function isReadable(file: ChosenFile): Promise<boolean> {
  try {
    await (await file.read()).slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Null without https, where browsers do not hash. On another thread. @throws if the file cannot be read */
async function hashOf(file: ChosenFile): Promise<string | null> {
  if (!window.isSecureContext) return null;
  const digest = await crypto.subtle.digest('SHA-256', await (await file.read()).arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Waits while another tab holds it. Without https there are no locks: the server adds each photo once all the same.
 * @throws if it is aborted
 */
async function holdingLock(
  name: string,
  { signal, onBusy }: { signal: AbortSignal; onBusy: () => void },
  work: () => Promise<void>,
): Promise<void> {
  if (!('locks' in navigator)) return work();
  const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work();
    return lock !== null;
  });
  if (isFree) return;
  onBusy();
  await navigator.locks.request(name, { signal }, work);
}

/** Also ends when the browser goes online again. */
function pauseFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, delayMs);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

/** While photos are sent: a phone that sleeps stops sending. @returns its end */
function keepScreenOn(): () => void {
  let isEnded = false;
  let release = () => {};
  const request = async () => {
    if (isEnded || document.hidden || !('wakeLock' in navigator)) return;
    try {
      const lock = await navigator.wakeLock.request('screen');
      release = () => void lock.release();
      if (isEnded) release();
    } catch {
      // The battery is low: the photos are sent all the same.
    }
  };
  const onVisible = () => void request();
  document.addEventListener('visibilitychange', onVisible);
  void request();
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', onVisible);
    release();
  };
}
