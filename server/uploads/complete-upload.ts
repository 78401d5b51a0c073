import type * as z from 'zod/mini';
import type { CompleteUploadRequest } from '#shared/memory';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import type { AppContext } from '../context.ts';
import type { Db, Tx } from '../db/database.ts';
import { AppError, ConflictError, NotFoundError, TooLargeError, UnsupportedImageError } from '../errors.ts';
import type { InspectedImage } from '../images/decoder/decode-image.ts';
import { createMemory, type NewMemoryStory } from '../memories/create-memory.ts';
import { findMemory, type MemoryRow } from '../memories/memory-queries.ts';
import { checkStorageLimit, lockStorage } from './storage-limit.ts';
import { PHOTO_TOO_LARGE } from './upload-texts.ts';
import {
  findUpload,
  lockUpload,
  markUploadCompleted,
  markUploadRefused,
  type UploadRow,
} from './upload-queries.ts';

const COMPLETABLE_FOR_MS = 24 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>;
type Story = z.output<typeof CompleteUploadRequest> & Pick<NewMemoryStory, 'timeZone'>;

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
  const answer = await earlierAnswer(db, upload);
  if (answer) return answer;

  const isThere = await seal(context, upload);
  if (!isThere)
    return answerOrThrow(
      context,
      upload,
      new ConflictError('Nothing has been uploaded to this address yet.'),
    );
  try {
    const image = await inspect(context, upload);
    return await db.transaction((tx) => complete(context, tx, upload, image, story));
  } catch (error) {
    if (!(error instanceof UnsupportedImageError || error instanceof TooLargeError)) throw error;
    // Only whoever refuses it deletes its bytes: the same call at the same moment may have made a memory of them.
    const isRefused = await markUploadRefused(db, ownerId, upload.id, error);
    if (isRefused) await storage.delete(originalKey(upload.id));
    return answerOrThrow(context, upload, error);
  }
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

/** What this upload has become already: its memory, or the refusal it got; null while it is open. */
async function earlierAnswer(db: Db | Tx, upload: UploadRow): Promise<MemoryRow | null> {
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
async function answerOrThrow(
  { db }: Context,
  { ownerId, id }: UploadRow,
  error: AppError,
): Promise<MemoryRow> {
  const now = await findUpload(db, ownerId, id);
  const answer = now && (await earlierAnswer(db, now));
  if (!answer) throw error;
  return answer;
}

/** One at a time, so that no second sealing brings in bytes that were put after the first. */
function seal({ db, storage }: Context, { ownerId, id }: UploadRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    const upload = await lockUpload(tx, ownerId, id);
    return upload?.status === 'open' && (await storage.sealUpload(id, originalKey(id)));
  });
}

async function inspect({ storage, imageDecoder }: Context, { id }: UploadRow): Promise<InspectedImage> {
  const size = await storage.sizeOf(originalKey(id));
  if (size !== null && size > UPLOAD_MAX_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
  const bytes = await storage.read(originalKey(id));
  if (!bytes) throw new UnsupportedImageError();
  return imageDecoder.inspect(bytes);
}

async function complete(
  context: Context,
  tx: Tx,
  { ownerId, id }: UploadRow,
  image: InspectedImage,
  story: Story,
): Promise<MemoryRow> {
  const upload = await lockUpload(tx, ownerId, id);
  if (!upload) throw expired();
  const answer = await earlierAnswer(tx, upload);
  if (answer) return answer;
  await lockStorage(tx, ownerId);
  await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
  const memory = await createMemory(context, tx, {
    ownerId,
    source: 'web',
    image,
    objectKey: originalKey(id),
    ...story,
  });
  await markUploadCompleted(tx, ownerId, id, memory.id);
  return memory;
}
