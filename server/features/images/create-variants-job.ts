import * as z from 'zod';
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
    if (image) await createMissingVariants(context, image);
  },
});
