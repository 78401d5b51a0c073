import { IMAGE_WIDTHS } from '#shared/upload';
import type { AppContext } from '../context.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import type { CreateVariantsPayload } from '../jobs/job-catalogue.ts';
import { findImage } from './image-queries.ts';
import { createVariant, variantKey } from './image-variants.ts';

/** Makes the widths of a new picture ahead of the first look at it. An image that is gone needs none. */
export function createVariantsJob(
  context: Pick<AppContext, 'db' | 'storage'>,
): JobHandler<CreateVariantsPayload> {
  return async ({ ownerId, imageId }) => {
    const image = await findImage(context.db, ownerId, imageId);
    if (!image) return;
    for (const width of IMAGE_WIDTHS) {
      const isThere = (await context.storage.sizeOf(variantKey(image.id, width))) !== null;
      if (!isThere) await createVariant(context, image, width);
    }
  };
}
