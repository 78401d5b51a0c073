import type { AppContext } from '../context.ts';
import type { DeleteImageObjectsPayload } from '../jobs/job-catalogue.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { everyVariant, variantKey } from './image-variants.ts';

/** The original and all copies of an image whose row is gone. */
export function deleteImageObjectsJob({
  storage,
}: Pick<AppContext, 'storage'>): JobHandler<DeleteImageObjectsPayload> {
  return async ({ imageId, objectKey }) => {
    await storage.delete(objectKey);
    for (const variant of everyVariant) await storage.delete(variantKey(imageId, variant));
  };
}
