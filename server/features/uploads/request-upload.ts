import type * as z from 'zod/mini';
import { MAX_UPLOAD_BYTES, type CreateUploadRequest } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { ConflictError, TooLargeError, TooManyRequestsError } from '../../platform/errors.ts';
import { checkStorageLimit, lockStorage } from './storage-limit.ts';
import { PHOTO_TOO_LARGE } from './upload-rejection.ts';
import {
  countOpenUploads,
  createUpload,
  lockUpload,
  reserveUploadBytes,
  type UploadRow,
} from './upload-queries.ts';

const MAX_OPEN_UPLOADS = 20;
/** As long as an unused one is kept. */
const TOO_MANY_RETRY_SECONDS = 60 * 60;

/** Reserves the size in the account's storage, as long as the upload is open. */
export async function requestUpload(
  { config, db, clock, rateLimits, diskSpace }: AppContext,
  ownerId: string,
  { size, sha256 }: Pick<z.output<typeof CreateUploadRequest>, 'size' | 'sha256'>,
): Promise<UploadRow> {
  if (size > MAX_UPLOAD_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
  await rateLimits.uploadPerUser.consume(ownerId);
  await diskSpace.requireRoom();
  return db.transaction(async (tx) => {
    await lockStorage(tx, ownerId);
    await checkStorageLimit(config, tx, ownerId, size);
    const { count } = await countOpenUploads(tx, ownerId);
    if (count >= MAX_OPEN_UPLOADS)
      throw new TooManyRequestsError(TOO_MANY_OPEN, TOO_MANY_RETRY_SECONDS, 'open-uploads');
    return createUpload(tx, ownerId, clock.now(), { byteSize: size, sha256: sha256 ?? null });
  });
}

const TOO_MANY_OPEN = `You have started ${MAX_OPEN_UPLOADS} uploads without finishing them. Please finish one, or try again in an hour.`;

/** For a photo that the server fetches: only the transfer tells its size. */
export async function reserveLargestPhoto(
  { config, db, diskSpace }: Pick<AppContext, 'config' | 'db' | 'diskSpace'>,
  { ownerId, id }: UploadRow,
): Promise<void> {
  await diskSpace.requireRoom();
  await db.transaction(async (tx) => {
    const upload = await lockUpload(tx, ownerId, id);
    if (upload?.status !== 'open') throw new ConflictError('This upload is already completed.');
    await lockStorage(tx, ownerId);
    await checkStorageLimit(config, tx, ownerId, MAX_UPLOAD_BYTES - (upload.byteSize ?? 0));
    await reserveUploadBytes(tx, ownerId, id, MAX_UPLOAD_BYTES);
  });
}
