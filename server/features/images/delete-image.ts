import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { deleteImageObjectsJob } from './delete-image-objects-job.ts';
import { deleteImageRow } from './image-queries.ts';

export async function deleteImage(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  ownerId: string,
  imageId: string,
): Promise<void> {
  const image = await deleteImageRow(tx, ownerId, imageId);
  if (!image) return;
  await jobs.enqueue(tx, deleteImageObjectsJob, { imageId, objectKey: image.objectKey });
}
