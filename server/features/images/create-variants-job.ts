import * as z from 'zod';
import {
  DECODE_RETRY_SECONDS,
  DecodeTimeoutError,
  MAX_DECODE_ATTEMPTS,
  UnsupportedImageError,
} from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { findImage } from './image-queries.ts';
import { createMissingVariants } from './image-variants.ts';

/** Creates the widths of a new image before the first request for them. Does nothing if the image was deleted. */
export const createVariantsJob = defineJob({
  name: 'create-variants',
  formerNames: ['create-image-variants'],
  payload: z.object({ ownerId: z.string(), imageId: z.string(), decodeAttempt: z.number().optional() }),
  retries: 5,
  expireInSeconds: 120,
  async handle(context, { ownerId, imageId, decodeAttempt = 1 }) {
    const image = await findImage(context.db, ownerId, imageId);
    try {
      if (image) await createMissingVariants(context, image);
    } catch (error) {
      // Another try would end the same way.
      if (error instanceof UnsupportedImageError) return;
      if (!(error instanceof DecodeTimeoutError)) throw error;
      // Then the first request for each variant renders it alone.
      if (decodeAttempt >= MAX_DECODE_ATTEMPTS) return;
      const next = { ownerId, imageId, decodeAttempt: decodeAttempt + 1 };
      const delaySeconds = DECODE_RETRY_SECONDS;
      await context.db.transaction((tx) =>
        context.jobs.enqueue(tx, createVariantsJob, next, { delaySeconds }),
      );
    }
  },
});
