import type * as z from 'zod/mini';
import type { CompleteUploadRequest } from '#shared/memory';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import type { AppContext } from '../context.ts';
import { ConflictError, NotFoundError, TooLargeError, UnsupportedImageError } from '../errors.ts';
import type { InspectedImage } from '../images/decoder/decode-image.ts';
import type { MemoryRow } from '../memories/memory-queries.ts';
import {
  answerOrThrow,
  earlierAnswer,
  originalKey,
  settleUpload,
  uploadExpired,
  type UploadStory,
} from './settle-upload.ts';
import { PHOTO_TOO_LARGE } from './upload-texts.ts';
import { findUpload, lockUpload, type UploadRow } from './upload-queries.ts';

const COMPLETABLE_FOR_MS = 24 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>;
type Request = z.output<typeof CompleteUploadRequest> & Pick<UploadStory, 'timeZone'>;

/**
 * Turns uploaded bytes into a memory, once: a repeated call, also at the same moment, gets the same answer.
 * The bytes are sealed first, so what is looked at is what is kept.
 *
 * @throws NotFoundError for another's upload or pet, ConflictError when nothing was uploaded yet,
 *   TooLargeError, UnsupportedImageError (the bytes are deleted then)
 */
export async function completeUpload(
  context: Context,
  ownerId: string,
  { uploadURL, ...story }: Request,
): Promise<MemoryRow> {
  const { db } = context;
  const upload = await getUpload(context, ownerId, uploadURL);
  const answer = await earlierAnswer(db, upload);
  if (answer) return answer;

  const isThere = await seal(context, upload);
  if (!isThere)
    return answerOrThrow(db, upload, new ConflictError('Nothing has been uploaded to this address yet.'));
  return settleUpload(context, upload, { source: 'web', ...story }, () => inspectStored(context, upload));
}

async function getUpload({ db, storage, clock }: Context, ownerId: string, url: string): Promise<UploadRow> {
  const id = storage.uploadIdOf(url);
  const upload = id && (await findUpload(db, ownerId, id));
  if (!upload) throw new NotFoundError('This upload was not found. Please add the photo again.');
  const age = clock.now().getTime() - upload.createdAt.getTime();
  if (upload.status === 'open' && age > COMPLETABLE_FOR_MS) throw uploadExpired();
  return upload;
}

/** One at a time, so that no second sealing brings in bytes that were put after the first. */
function seal({ db, storage }: Context, { ownerId, id }: UploadRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    const upload = await lockUpload(tx, ownerId, id);
    return upload?.status === 'open' && (await storage.sealUpload(id, originalKey(id)));
  });
}

async function inspectStored({ storage, imageDecoder }: Context, { id }: UploadRow): Promise<InspectedImage> {
  const size = await storage.sizeOf(originalKey(id));
  if (size !== null && size > UPLOAD_MAX_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
  const bytes = await storage.read(originalKey(id));
  if (!bytes) throw new UnsupportedImageError();
  return imageDecoder.inspect(bytes);
}
