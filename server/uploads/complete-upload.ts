import type * as z from 'zod/mini';
import type { CompleteUploadRequest } from '#shared/memory';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { AppError, ConflictError, NotFoundError, TooLargeError, UnsupportedImageError } from '../errors.ts';
import type { InspectedImage } from '../images/decoder/decode-image.ts';
import { createMemory } from '../memories/create-memory.ts';
import { getMemory, type MemoryRow } from '../memories/memory-queries.ts';
import { checkStorageLimit } from './storage-limit.ts';
import {
  findUpload,
  lockUpload,
  markUploadCompleted,
  markUploadRefused,
  type UploadRow,
} from './upload-queries.ts';

const COMPLETABLE_FOR_MS = 24 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>;
type Story = z.output<typeof CompleteUploadRequest>;

/** Where an upload's bytes lie once they are sealed. */
export function originalKey(uploadId: string): string {
  return `originals/${uploadId}`;
}

/**
 * Turns uploaded bytes into a memory, once: a repeated call, also at the same moment, gets the same answer.
 * The bytes are sealed first, so what is looked at is what is kept.
 *
 * @throws NotFoundError for another's upload or pet, ConflictError when nothing was uploaded yet,
 *   TooLargeError, UnsupportedImageError (the bytes are deleted then)
 */
export async function completeUpload(context: Context, ownerId: string, story: Story): Promise<MemoryRow> {
  const { db, storage } = context;
  const upload = await getUpload(context, ownerId, story.uploadURL);
  if (upload.status === 'completed') return getCompletedMemory(db, upload);
  if (upload.status === 'refused') throw refusalOf(upload);

  const objectKey = originalKey(upload.id);
  if (!(await storage.sealUpload(upload.id, objectKey))) throw await missingBytes(context, upload);
  const image = await inspectOrRefuse(context, upload, objectKey);

  return db.transaction(async (tx) => {
    const locked = await lockUpload(tx, ownerId, upload.id);
    if (!locked) throw expired();
    if (locked.status === 'refused') throw refusalOf(locked);
    if (locked.status === 'completed') return getCompletedMemory(tx, locked);
    const memory = await createMemory(context, tx, { ownerId, source: 'web', image, objectKey, ...story });
    await markUploadCompleted(tx, ownerId, upload.id, memory.id);
    return memory;
  });
}

async function getUpload({ db, storage, clock }: Context, ownerId: string, url: string): Promise<UploadRow> {
  const id = storage.uploadIdOf(url);
  const upload = id && (await findUpload(db, ownerId, id));
  if (!upload) throw new NotFoundError('This upload was not found. Please add the photo again.');
  const age = clock.now().getTime() - upload.createdAt.getTime();
  if (upload.status === 'open' && age > COMPLETABLE_FOR_MS) throw expired();
  return upload;
}

function expired(): NotFoundError {
  return new NotFoundError('This upload has expired. Please add the photo again.');
}

/** A completed upload whose memory was deleted since is not found, rather than made anew. */
function getCompletedMemory(db: Context['db'] | Tx, { ownerId, memoryId }: UploadRow): Promise<MemoryRow> {
  if (!memoryId) throw new NotFoundError('This photo was deleted.');
  return getMemory(db, ownerId, memoryId);
}

async function inspectOrRefuse(
  context: Context,
  upload: UploadRow,
  objectKey: string,
): Promise<InspectedImage> {
  const { db, storage } = context;
  try {
    return await inspect(context, upload, objectKey);
  } catch (error) {
    if (error instanceof UnsupportedImageError || error instanceof TooLargeError) {
      await markUploadRefused(db, upload.ownerId, upload.id, error);
      await storage.delete(objectKey);
    }
    throw error;
  }
}

async function inspect(context: Context, upload: UploadRow, objectKey: string): Promise<InspectedImage> {
  const { storage, imageDecoder } = context;
  const size = await storage.sizeOf(objectKey);
  if (size !== null && size > UPLOAD_MAX_BYTES) throw new TooLargeError('This photo is larger than 10 MB.');
  if (size !== null) await checkStorageLimit(context, upload.ownerId, size);
  const bytes = await storage.read(objectKey);
  if (!bytes) throw await missingBytes(context, upload);
  return imageDecoder.inspect(bytes);
}

/** Nothing is there: not yet, or because the same call at the same moment has just refused and deleted it. */
async function missingBytes({ db }: Context, upload: UploadRow): Promise<AppError> {
  const now = await findUpload(db, upload.ownerId, upload.id);
  if (now?.status === 'refused') return refusalOf(now);
  return new ConflictError('Nothing has been uploaded to this address yet.');
}

function refusalOf({ refusalStatus, refusalMessage }: UploadRow): AppError {
  return new AppError(refusalStatus ?? 415, refusalMessage ?? 'This photo was refused.');
}
