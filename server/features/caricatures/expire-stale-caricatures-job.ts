import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { listStaleCaricatures, markCaricatureCompleted } from './caricature-queries.ts';
import { failCaricature } from './caricature-service.ts';
import { deleteOldUsage } from './caricature-usage.ts';
import { CARICATURE_TIMEOUT_MS } from './generate-caricature-job.ts';

/** A generated image is paid for, so it is shown; its missing variants are created on demand. */
export const expireStaleCaricaturesJob = defineJob({
  name: 'expire-stale-caricatures',
  cron: '* * * * *',
  payload: z.object({}),
  retries: 0,
  expireInSeconds: 60,
  runAtStart: true,
  async handle(context) {
    const before = new Date(context.clock.now().getTime() - CARICATURE_TIMEOUT_MS);
    for (const { ownerId, id, imageId } of await listStaleCaricatures(context.db, before)) {
      if (imageId) await markCaricatureCompleted(context.db, ownerId, id);
      else await failCaricature(context, { ownerId, id }, 'timed-out');
    }
    await deleteOldUsage(context);
  },
});
