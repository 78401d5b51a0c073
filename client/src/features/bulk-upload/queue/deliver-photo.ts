import { v4 as uuidv4 } from 'uuid';
import { CompletedUpload } from '#shared/album/memory';
import { MAX_FILE_NAME_LENGTH } from '#shared/dates/date-source';
import { Upload } from '#shared/transfers/upload';
import { ApiError, apiPost, apiPostEmpty } from '../../../lib/api/api-client.ts';
import { UnreadableError } from './with-retries.ts';
import { nameOf, type ChosenFile, type QueuedPhoto } from './queued-photo.ts';
import type { UploadQueue } from './upload-queue.ts';

const PUT_TIMEOUT_MS = 15 * 60_000;

interface Delivery {
  photo: QueuedPhoto;
  file: ChosenFile;
  petId: string | null;
  batch: UploadBatch;
  /** Before its bytes are sent: what is interrupted then may be stored all the same. */
  onSigned: (uploadURL: string) => Promise<void>;
  signal: AbortSignal;
}

/** One attempt. A stored photo is only completed, which can be repeated. */
export async function deliverPhoto(delivery: Delivery): Promise<CompletedUpload> {
  const { photo, signal } = delivery;
  if (photo.uploadURL !== null) {
    try {
      return await complete(photo.uploadURL, delivery);
    } catch (error) {
      if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error;
    }
  }
  const body = await delivery.file.read().catch(() => {
    throw new UnreadableError();
  });
  const contentType = delivery.file.type || 'application/octet-stream';
  const url = await requestUpload(delivery, contentType, body.size);
  const uploadURL = url.origin + url.pathname;
  await delivery.onSigned(uploadURL);
  const put = await fetch(url, {
    method: 'PUT',
    headers: { 'Content-Type': contentType },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PUT_TIMEOUT_MS)]),
  });
  if (!put.ok) throw new ApiError(put.status, await put.text(), put.headers.get('Retry-After'));
  return complete(uploadURL, delivery);
}

async function requestUpload(
  { photo: { uploadURL: earlier, sha256 }, batch, signal }: Delivery,
  contentType: string,
  size: number,
): Promise<URL> {
  const request = {
    contentType,
    size,
    batchId: await batch.start(),
    ...(sha256 !== null && { sha256 }),
    // Otherwise the interrupted ones would soon be as many as may be open.
    ...(earlier !== null && { replaces: earlier }),
  };
  try {
    const { uploadURL } = await apiPost('/api/objects/upload', request, Upload, {}, signal);
    return new URL(uploadURL, window.location.href);
  } catch (error) {
    // The batch was finished elsewhere.
    if (error instanceof ApiError && error.status === 409) await batch.forget();
    throw error;
  }
}

function complete(uploadURL: string, { photo, petId, signal }: Delivery): Promise<CompletedUpload> {
  const request = {
    uploadURL,
    fileName: nameOf(photo).slice(-MAX_FILE_NAME_LENGTH),
    ...(petId && { petId }),
    ...photo.details,
  };
  return apiPost('/api/memories/complete-upload', request, CompletedUpload, {}, signal);
}

/** The batch that the photos are added to, for all that are sent at the same time. */
export class UploadBatch {
  readonly #queue: UploadQueue;
  #started: string | null = null;
  #starting: Promise<string> | null = null;

  constructor(queue: UploadQueue) {
    this.#queue = queue;
  }

  /** @returns its id */
  start(): Promise<string> {
    this.#starting ??= this.#startOnce().finally(() => (this.#starting = null));
    return this.#starting;
  }

  forget(): Promise<void> {
    return this.#queue.setBatch(null);
  }

  async #startOnce(): Promise<string> {
    const id = (await this.#queue.findBatch()) ?? uuidv4();
    if (id === this.#started) return id;
    await this.#queue.setBatch(id);
    await apiPostEmpty('/api/batches', { id });
    return (this.#started = id);
  }
}
