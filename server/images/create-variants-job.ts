import type { AppContext } from '../context.ts';
import type { CreateVariantsPayload } from '../jobs/job-catalogue.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { findImage } from './image-queries.ts';
import { createMissingVariants } from './image-variants.ts';

/** Makes the widths of a new picture ahead of the first look at it. An image that is gone needs none. */
export function createVariantsJob(
  context: Pick<AppContext, 'db' | 'storage' | 'imageDecoder'>,
): JobHandler<CreateVariantsPayload> {
  return async ({ ownerId, imageId }) => {
    const image = await findImage(context.db, ownerId, imageId);
    if (image) await createMissingVariants(context, image);
  };
}
