import type * as z from 'zod/mini';
import { MAX_UPLOAD_BYTES, type CreateUploadRequest } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import { ConflictError, TooLargeError, TooManyRequestsError } from '../../platform/errors.ts';
import type { Db } from '../../platform/db/database.ts';
import { getBatch } from '../batches/batch-queries.ts';
import { checkStorageLimit, lockStorage } from '../storage/storage-limit.ts';
import { UPLOAD_URL_LIFETIME_SECONDS } from './sign-upload-url.ts';
import { maxPhotoBytes, photoTooLarge } from '../storage/photo-size.ts';
import { listIdleUploads, lockIdleUploads, lockUpload, reserveUploadBytes } from './upload-queries.ts';
import {
  countOpenUploads,
  createUpload,
  markUploadRejected,
  type UploadRow,
} from '../storage/open-upload-queries.ts';

const MAX_OPEN_UPLOADS = 20;
/** A URL works until it expires. A minute more, since it is signed after the upload is created, and clocks differ. */
const EXPIRED_AFTER_SECONDS = UPLOAD_URL_LIFETIME_SECONDS + 60;

/**
 * Reserves the size in the account's storage, as long as the upload is open. A client that retries requests a new one each
 * time, so beyond the limit it replaces the oldest to which nothing was sent.
 */
export async function requestUpload(
  context: AppContext,
  ownerId: string,
  {
    size,
    sha256,
    batchId,
    replaces,
  }: Omit<z.output<typeof CreateUploadRequest>, 'contentType'> & { size: number },
): Promise<UploadRow> {
  const { config, db, clock, rateLimits, diskSpace, storage } = context;
  const replacedId = replaces === undefined ? null : storage.uploadIdOf(replaces);
  if (size > maxPhotoBytes({ batchId })) throw new TooLargeError(photoTooLarge(maxPhotoBytes({ batchId })));
  if (batchId === undefined) await rateLimits.uploadPerUser.consume(ownerId);
  else {
    await requireOpenBatch(db, ownerId, batchId);
    await rateLimits.batchMibPerUser.consume(ownerId, TOO_MANY_BYTES, { points: Math.ceil(size / MIB) });
  }
  await diskSpace.requireRoom();
  const idleSince = replaceableSince(context);
  /** Null if as many as allowed are open, and none of these is idle any more. */
  const reserve = (replaceable: string[]) =>
    db.transaction(async (tx) => {
      const [oldest] = await lockIdleUploads(tx, ownerId, replaceable, idleSince);
      if (replacedId) await markUploadRejected(tx, ownerId, replacedId, 'discarded');
      await lockStorage(tx, ownerId);
      const { count } = await countOpenUploads(tx, ownerId);
      if (count >= MAX_OPEN_UPLOADS) {
        if (oldest === undefined) return null;
        await markUploadRejected(tx, ownerId, oldest, 'expired');
      }
      await checkStorageLimit(config, tx, ownerId, size);
      return createUpload(tx, ownerId, clock.now(), {
        byteSize: size,
        sha256: sha256 ?? null,
        batchId: batchId ?? null,
      });
    });
  let upload = await reserve([]);
  // Concurrent requests may have replaced the same ones.
  while (!upload) {
    const replaceable = await listReplaceableUploads(context, ownerId, idleSince);
    if (replaceable.length === 0)
      throw new TooManyRequestsError(TOO_MANY_OPEN, EXPIRED_AFTER_SECONDS, 'open-uploads');
    upload = await reserve(replaceable);
  }
  return upload;
}

type IdleSince = Parameters<typeof listIdleUploads>[2];

/** Without a receiver, bytes could still be stored at a URL that works. */
function replaceableSince({ storage, clock }: Pick<AppContext, 'storage' | 'clock'>): IdleSince {
  const now = clock.now();
  const expired = new Date(now.getTime() - EXPIRED_AFTER_SECONDS * 1000);
  return { requested: storage.receiver ? now : expired, used: expired };
}

const MIB = 1024 ** 2;
const TOO_MANY_BYTES = 'You have added very many photos in the last hour.';

/** @throws NotFoundError; ConflictError if it is finished */
async function requireOpenBatch(db: Db, ownerId: string, id: string): Promise<void> {
  const { finishedAt } = await getBatch(db, ownerId, id);
  if (finishedAt) throw new ConflictError('These photos are finished already. Please add more as new ones.');
}

const TOO_MANY_OPEN = `You have started ${MAX_OPEN_UPLOADS} uploads without finishing them. Please finish one, or try again later.`;

/** The oldest first. Not in a transaction: the storage may be slow. */
async function listReplaceableUploads(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  ownerId: string,
  idleSince: IdleSince,
): Promise<string[]> {
  const idle = await listIdleUploads(db, ownerId, idleSince);
  const areUploaded = await Promise.all(idle.map((id) => storage.isUploaded(id)));
  return idle.filter((_id, index) => !areUploaded[index]);
}

/** For a photo that the server fetches: only the transfer tells its size. Counts as a use, so that it is not replaced. */
export async function reserveLargestPhoto(
  { config, db, clock, diskSpace }: Pick<AppContext, 'config' | 'db' | 'clock' | 'diskSpace'>,
  { ownerId, id }: UploadRow,
): Promise<void> {
  await diskSpace.requireRoom();
  await db.transaction(async (tx) => {
    const upload = await lockUpload(tx, ownerId, id);
    if (upload?.status !== 'open') throw new ConflictError('This upload is already completed.');
    await lockStorage(tx, ownerId);
    await checkStorageLimit(config, tx, ownerId, MAX_UPLOAD_BYTES - (upload.byteSize ?? 0));
    await reserveUploadBytes(tx, ownerId, id, { byteSize: MAX_UPLOAD_BYTES, lastUsedAt: clock.now() });
  });
}
