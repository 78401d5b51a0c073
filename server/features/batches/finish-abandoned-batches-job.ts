import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { listAbandonedBatches } from './batch-queries.ts';
import { finishBatch } from './batch-service.ts';

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Of browsers that were closed and did not come back. */
export const finishAbandonedBatchesJob = defineJob({
  name: 'finish-abandoned-batches',
  cron: '17 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  async handle(context) {
    const since = new Date(context.clock.now().getTime() - ABANDONED_AFTER_MS);
    for (const batch of await listAbandonedBatches(context.db, since)) await finishBatch(context, batch);
  },
});
