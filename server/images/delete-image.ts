import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { deleteImageObjectsJobDefinition } from '../jobs/job-catalogue.ts';
import { deleteImageRow } from './image-queries.ts';

/** An image goes in the caller's transaction, and once that is done all that is stored of it. */
export async function deleteImage(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  ownerId: string,
  imageId: string,
): Promise<void> {
  const image = await deleteImageRow(tx, ownerId, imageId);
  if (!image) return;
  await jobs.enqueue(tx, deleteImageObjectsJobDefinition, { imageId, objectKey: image.objectKey });
}
