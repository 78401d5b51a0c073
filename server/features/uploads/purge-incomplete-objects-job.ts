import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';

/** Longer than any object is written. */
const MAX_WRITE_MS = 24 * 60 * 60 * 1000;

/** No row knows the bytes that a killed process had sent of an object, so no other purge finds them. */
export const purgeIncompleteObjectsJob = defineJob({
  name: 'purge-incomplete-objects',
  cron: '41 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  async handle({ storage, clock }) {
    await storage.deleteIncomplete(new Date(clock.now().getTime() - MAX_WRITE_MS));
  },
});
