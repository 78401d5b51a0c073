import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteVariants } from './image-variants.ts';

export const deleteImageObjectsJob = defineJob({
  name: 'delete-image-objects',
  payload: z.object({ imageId: z.string(), objectKey: z.string() }),
  retries: 14,
  expireInSeconds: 60,
  async handle({ storage }, { imageId, objectKey }) {
    await storage.delete(objectKey);
    await deleteVariants(storage, imageId);
  },
});
