import type * as z from 'zod/mini';
import type { CompleteUploadRequest } from '#shared/memory';
import { UPLOAD_MAX_BYTES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { ConflictError, NotFoundError, TooLargeError, UnsupportedImageError } from '../../platform/errors.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import type { MemoryRow } from '../memories/memory-queries.ts';
import {
  answerOrThrow,
  earlierAnswer,
  isRefusal,
  settleUpload,
  uploadExpired,
  type UploadStory,
} from './finalize-upload.ts';
import { withStagedObject } from './staged-object.ts';
import { PHOTO_TOO_LARGE } from './upload-errors.ts';
import { findUpload, type UploadRow } from './upload-queries.ts';

const COMPLETABLE_FOR_MS = 24 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>;
type Request = z.output<typeof CompleteUploadRequest> & Pick<UploadStory, 'timeZone'>;

/**
 * Turns uploaded bytes into a memory, once: a repeated call, also at the same moment, gets the same answer.
 * They are copied first to where nobody can change them, so what is inspected is what is kept.
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
  try {
    // Each call has its own copy, so that no row is locked while the storage works; the first one is kept.
    const memory = await withStagedObject(context, ownerId, (staged) => {
      const store = () => copyAndInspect(context, upload, staged.key);
      return settleUpload(context, upload, { source: 'web', ...story }, { staged, store });
    });
    await close(context, upload);
    return memory;
  } catch (error) {
    if (isRefusal(error)) await close(context, upload);
    // The same call at the same moment may have completed it and deleted what was to be copied.
    if (error instanceof ConflictError) return answerOrThrow(db, upload, error);
    throw error;
  }
}

async function getUpload({ db, storage, clock }: Context, ownerId: string, url: string): Promise<UploadRow> {
  const id = storage.uploadIdOf(url);
  const upload = id && (await findUpload(db, ownerId, id));
  if (!upload) throw new NotFoundError('This upload was not found. Please add the photo again.');
  const age = clock.now().getTime() - upload.createdAt.getTime();
  if (upload.status === 'open' && age > COMPLETABLE_FOR_MS) throw uploadExpired();
  return upload;
}

async function copyAndInspect(
  { storage, imageDecoder }: Context,
  { id }: UploadRow,
  key: string,
): Promise<InspectedImage> {
  if (!(await storage.copyUpload(id, key)))
    throw new ConflictError('Nothing has been uploaded to this address yet.');
  const size = await storage.sizeOf(key);
  if (size !== null && size > UPLOAD_MAX_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
  const bytes = await storage.read(key);
  if (!bytes) throw new UnsupportedImageError();
  return imageDecoder.inspect(bytes);
}

/** The purge of uploads deletes what cannot be deleted now. */
function close({ storage }: Context, { id }: UploadRow): Promise<void> {
  return storage.closeUpload(id).catch(() => undefined);
}
