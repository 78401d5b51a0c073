import * as z from 'zod';
import { UnsupportedImageError } from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { findImage } from './image-queries.ts';
import { createMissingVariants } from './image-variants.ts';

/** Creates the widths of a new image before the first request for them. Does nothing if the image was deleted. */
export const createVariantsJob = defineJob({
  name: 'create-image-variants',
  payload: z.object({ ownerId: z.string(), imageId: z.string() }),
  retries: 5,
  expireInSeconds: 120,
  async handle(context, { ownerId, imageId }) {
    const image = await findImage(context.db, ownerId, imageId);
    try {
      if (image) await createMissingVariants(context, image);
    } catch (error) {
      // Another try would end the same way, and may take the decoder as long as its timeout.
      if (!(error instanceof UnsupportedImageError)) throw error;
    }
  },
});
