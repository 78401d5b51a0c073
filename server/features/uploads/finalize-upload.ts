import type { AppContext } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { AppError, NotFoundError } from '../../platform/errors.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { createMemory, type NewMemory } from '../memories/create-memory.ts';
import { findMemory, type MemoryRow } from '../memories/memory-queries.ts';
import { keepStagedObject, originalKey, type StagedObject } from './staged-object.ts';
import { checkStorageLimit, lockStorage } from './storage-limit.ts';
import {
  findUpload,
  lockUpload,
  markUploadCompleted,
  markUploadRefused,
  type UploadRow,
} from './upload-queries.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock'>;

/** What its owner said about a photo, and the way that it came. */
export type UploadStory = Omit<NewMemory, 'ownerId' | 'image' | 'objectKey'>;

export function uploadExpired(): NotFoundError {
  return new NotFoundError('This upload has expired. Please add the photo again.');
}

/**
 * Turns a photo into a memory or refuses it for good. Idempotent: concurrent calls get the same result.
 *
 * @param store stores the bytes and says what they are: in the staged object of this call, or, when every call brings the
 *   same bytes, under the upload's own key
 * @throws UnsupportedImageError, TooLargeError, InvalidError when it is refused (its bytes are deleted then)
 */
export async function settleUpload(
  context: Context,
  upload: UploadRow,
  story: UploadStory,
  { staged, store }: { staged: StagedObject | null; store: () => Promise<InspectedImage> },
): Promise<MemoryRow> {
  const { db, storage } = context;
  const { ownerId, id } = upload;
  try {
    const image = await store();
    return await db.transaction((tx) => complete(context, tx, upload, { image, staged }, story));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Only whoever refuses it deletes its bytes: the same call at the same moment may have made a memory of them.
    const isFirst = await markUploadRefused(db, ownerId, id, error);
    if (isFirst && !staged) await storage.delete(originalKey(id));
    return answerOrThrow(db, upload, error);
  }
}

/** What this upload has become already: its memory, or the refusal it got; null while it is open. */
export async function earlierAnswer(db: Db | Tx, upload: UploadRow): Promise<MemoryRow | null> {
  if (upload.status === 'open') return null;
  if (upload.status === 'refused') {
    throw new AppError(upload.refusalStatus ?? 415, upload.refusalMessage ?? 'This photo was refused.');
  }
  const memory = upload.memoryId && (await findMemory(db, upload.ownerId, upload.memoryId));
  // Rather than being made anew, also while it can be restored.
  if (!memory) throw new NotFoundError('This photo was deleted.');
  return memory;
}

/** The answer that the same call at the same moment has got meanwhile; else the error. */
export async function answerOrThrow(db: Db, { ownerId, id }: UploadRow, error: AppError): Promise<MemoryRow> {
  const now = await findUpload(db, ownerId, id);
  const answer = now && (await earlierAnswer(db, now));
  if (!answer) throw error;
  return answer;
}

const REFUSALS = new Set([413, 415, 422]);

/** The photo itself is at fault, or there is no room for it: it is refused for good. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && REFUSALS.has(error.status);
}

async function complete(
  context: Context,
  tx: Tx,
  { ownerId, id }: UploadRow,
  { image, staged }: { image: InspectedImage; staged: StagedObject | null },
  story: UploadStory,
): Promise<MemoryRow> {
  const upload = await lockUpload(tx, ownerId, id);
  if (!upload) throw uploadExpired();
  const answer = await earlierAnswer(tx, upload);
  if (answer) return answer;
  await lockStorage(tx, ownerId);
  await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
  const objectKey = staged?.key ?? originalKey(id);
  const memory = await createMemory(context, tx, { ...story, ownerId, image, objectKey });
  if (staged) await keepStagedObject(tx, ownerId, staged);
  await markUploadCompleted(tx, ownerId, id, memory.id);
  return memory;
}
