import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { createImage, type ImageRow } from './image-queries.ts';
import { commitStagedObject, withStagedObject, type StagedObject } from './staged-object.ts';
import { checkStorageLimit, lockStorage } from '../storage/storage-limit.ts';

/** A generated image, stored but not referenced by a row. */
export type StagedImage = { object: StagedObject; image: InspectedImage };

/** Stores an image for `use`, and deletes it unless `use` commits it. */
export async function stageImage<Result>(
  context: AppContext,
  ownerId: string,
  bytes: Buffer,
  use: (staged: StagedImage) => Promise<Result>,
): Promise<Result> {
  // No tile: storing it could fail, and a generated image would be paid for a second time.
  const { tile: _, ...image } = await context.imageDecoder.inspect(ownerId, bytes);
  return withStagedObject(context, ownerId, async (object) => {
    // Accepted before it was generated, which may have been paid for.
    await context.storage.write(object.key, bytes, image.contentType, 'accepted');
    return use({ object, image });
  });
}

/** Call it in the transaction that writes the referencing row. @throws TooLargeError */
export async function commitStagedImage(
  context: AppContext,
  tx: Tx,
  ownerId: string,
  { object, image }: StagedImage,
): Promise<ImageRow> {
  await lockStorage(tx, ownerId);
  await checkStorageLimit(context.config, tx, ownerId, image.byteSize);
  const objectKey = object.key;
  const row = await createImage(tx, { ...image, ownerId, objectKey, createdAt: context.clock.now() });
  await commitStagedObject(tx, ownerId, object);
  return row;
}
