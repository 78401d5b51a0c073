import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteActivityBefore } from './activity-queries.ts';

const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

export const purgeActivityJob = defineJob({
  name: 'purge-activity',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '23 4 * * *',
  handle: ({ db, clock }) => deleteActivityBefore(db, new Date(clock.now().getTime() - RETENTION_MS)),
});
