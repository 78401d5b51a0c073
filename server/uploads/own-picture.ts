import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { InspectedImage } from '../images/decoder/decode-image.ts';
import { createImage, type ImageRow } from '../images/image-queries.ts';
import { createVariantsJobDefinition } from '../jobs/job-catalogue.ts';
import { originalKey } from './settle-upload.ts';
import { checkStorageLimit, lockStorage } from './storage-limit.ts';
import { createUpload, deleteUpload, lockUpload } from './upload-queries.ts';

/** A picture that the server made, stored and not yet anybody's. */
export type OwnPicture = { uploadId: string; image: InspectedImage };

type Context = Pick<AppContext, 'config' | 'db' | 'clock' | 'storage' | 'imageDecoder' | 'jobs'>;

/**
 * Stores a picture, lets it be used, and clears it away again unless it was kept. It is noted as an upload before it
 * is stored, so that after a crash anywhere in between the purge of uploads finds it.
 */
export async function withOwnPicture<Result>(
  context: Context,
  ownerId: string,
  bytes: Buffer,
  use: (picture: OwnPicture) => Promise<Result>,
): Promise<Result> {
  const { db, clock, storage, imageDecoder } = context;
  const image = await imageDecoder.inspect(bytes);
  const { id: uploadId } = await createUpload(db, ownerId, clock.now());
  try {
    await storage.write(originalKey(uploadId), bytes, image.contentType);
    return await use({ uploadId, image });
  } finally {
    // What cannot be cleared away now is found by the purge.
    await discardUnlessKept(context, ownerId, uploadId).catch(() => undefined);
  }
}

/** In the transaction in which somebody's row begins to show it. @throws TooLargeError when the account is full */
export async function keepOwnPicture(
  context: Context,
  tx: Tx,
  ownerId: string,
  { uploadId, image }: OwnPicture,
): Promise<ImageRow> {
  await lockStorage(tx, ownerId);
  await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
  const objectKey = originalKey(uploadId);
  const row = await createImage(tx, { ...image, ownerId, objectKey, createdAt: context.clock.now() });
  await context.jobs.enqueue(tx, createVariantsJobDefinition, { ownerId, imageId: row.id });
  await deleteUpload(tx, ownerId, uploadId);
  return row;
}

/** Kept, its note is gone; the database knows best whether that came true. */
function discardUnlessKept({ db, storage }: Context, ownerId: string, uploadId: string): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await lockUpload(tx, ownerId, uploadId))) return;
    await storage.delete(originalKey(uploadId));
    await deleteUpload(tx, ownerId, uploadId);
  });
}
