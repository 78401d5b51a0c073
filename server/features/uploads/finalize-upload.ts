import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { PhotoBefore, RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';
import { DecodeTimeoutError, UnsupportedImageError } from '../../platform/errors.ts';
import { getBatch, notifyOfBatch } from '../batches/batch-queries.ts';
import { deleteImageObjectsJob } from '../images/delete-image-objects-job.ts';
import type { NewImage } from '../images/image-queries.ts';
import { storeTile } from '../images/image-variants.ts';
import { createMemory, type NewMemory } from '../memories/create-memory.ts';
import { findMemory, findMemoryOrDeleted, type MemoryRow } from '../memories/memory-queries.ts';
import { reuseMemory } from '../memories/reuse-memory.ts';
import {
  commitStagedObject,
  deleteStagedBytes,
  originalKey,
  type StagedObject,
} from '../images/staged-object.ts';
import { hasStorageFor, lockStorage, AlbumFullError } from '../storage/storage-limit.ts';
import { findUpload, lockUpload, markUploadCompleted } from './upload-queries.ts';
import { markUploadRejected, type UploadRow } from '../storage/open-upload-queries.ts';

export type PhotoDetails = Omit<NewMemory, 'ownerId' | 'image' | 'imageId' | 'objectKey'>;

/** `memory` is null when it was deleted after the upload was completed. */
export type UploadResult =
  | { kind: 'completed'; memory: MemoryRow | null; before: PhotoBefore }
  | { kind: 'rejected'; reason: RejectionReason };

/** Idempotent. Without `staged`, the image is stored under the upload's own key, so repeated calls store the same bytes. */
export async function finalizeUpload(
  context: AppContext,
  upload: UploadRow,
  details: PhotoDetails,
  { staged, image }: { staged: StagedObject | null; image: NewImage | RejectionReason },
): Promise<UploadResult> {
  const { db, storage } = context;
  const { ownerId, id } = upload;
  const result: UploadResult =
    typeof image === 'string'
      ? { kind: 'rejected', reason: image }
      : await db
          .transaction((tx) => complete(context, tx, upload, { image, staged }, details))
          .catch(toRejection);
  if (result.kind === 'completed') return result;
  if (!(await markUploadRejected(db, ownerId, id, result.reason)))
    return (await reloadResult(db, upload)) ?? result;
  // Only the call that rejects the upload deletes its bytes: a concurrent one may have made a memory of them.
  if (!staged) await deleteStagedBytes(storage, id);
  return result;
}

/** Stores the tile of the image, which will have the id `imageId`. @throws DecodeTimeoutError unless it is the last attempt */
export async function inspectPhoto(
  { imageDecoder, storage }: Pick<AppContext, 'imageDecoder' | 'storage'>,
  ownerId: string,
  imageId: string,
  bytes: Buffer,
  { maxBytes = MAX_UPLOAD_BYTES, isLastAttempt = false } = {},
): Promise<NewImage | RejectionReason> {
  if (bytes.length > maxBytes) return 'too-large';
  try {
    const { tile, ...image } = await imageDecoder.inspect(ownerId, bytes);
    return { ...image, copyBytes: await storeTile(storage, imageId, tile) };
  } catch (error) {
    if (error instanceof UnsupportedImageError) return error.reason;
    if (error instanceof DecodeTimeoutError && isLastAttempt) return 'too-slow';
    throw error;
  }
}

/** Null while the upload is open. */
export async function finishedResult(db: Db | Tx, upload: UploadRow): Promise<UploadResult | null> {
  const { status, ownerId, memoryId } = upload;
  if (status === 'open') return null;
  if (status === 'rejected') return { kind: 'rejected', reason: upload.rejectionReason ?? 'not-a-photo' };
  const isLeftInTrash = upload.batchId !== null && upload.before === 'trash';
  const find = isLeftInTrash ? findMemoryOrDeleted : findMemory;
  const memory = memoryId === null ? null : await find(db, ownerId, memoryId);
  return { kind: 'completed', memory, before: upload.before ?? 'none' };
}

function toRejection(error: unknown): UploadResult {
  if (error instanceof AlbumFullError) return { kind: 'rejected', reason: 'album-full' };
  throw error;
}

/** The result of a concurrent call, if it has finished the upload. */
export async function reloadResult(db: Db, { ownerId, id }: UploadRow): Promise<UploadResult | null> {
  const upload = await findUpload(db, ownerId, id);
  return upload && finishedResult(db, upload);
}

async function complete(
  context: AppContext,
  tx: Tx,
  { ownerId, id }: UploadRow,
  { image, staged }: { image: NewImage; staged: StagedObject | null },
  details: PhotoDetails,
): Promise<UploadResult> {
  const upload = await lockUpload(tx, ownerId, id);
  if (!upload) return { kind: 'rejected', reason: 'expired' };
  const finished = await finishedResult(tx, upload);
  if (finished) return finished;
  await lockStorage(tx, ownerId);
  const batch = upload.batchId ? await getBatch(tx, ownerId, upload.batchId, 'share') : null;
  // It may have been taken back while its photos arrive.
  if (batch?.takenBackAt) return { kind: 'rejected', reason: 'discarded' };
  const existing = await reuseMemory(context, tx, { ownerId, image }, details);
  if (existing) {
    // `withStagedObject` deletes a staged object.
    if (!staged)
      await context.jobs.enqueue(tx, deleteImageObjectsJob, { imageId: id, objectKey: originalKey(id) });
    await markUploadCompleted(tx, ownerId, id, {
      memoryId: existing.memory.id,
      before: existing.before,
    });
    return { kind: 'completed', ...existing };
  }
  // An open upload of a browser has reserved its size already.
  if (!(await hasStorageFor(context.config, tx, ownerId, image.byteSize - (upload.byteSize ?? 0))))
    return { kind: 'rejected', reason: 'album-full' };
  const imageId = staged?.id ?? id;
  const objectKey = originalKey(imageId);
  const memory = await createMemory(context, tx, { ...details, ownerId, image, imageId, objectKey });
  if (staged) await commitStagedObject(tx, ownerId, staged);
  // Too late for the event at the end of its batch.
  if (batch?.finishedAt) await notifyOfBatch(tx, ownerId);
  await markUploadCompleted(tx, ownerId, id, { memoryId: memory.id, before: 'none' });
  return { kind: 'completed', memory, before: 'none' };
}
