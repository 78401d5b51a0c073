import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { listOwnersOfOverdueDeliveries } from './delivery-queries.ts';
import { groupDeliveriesJob, WEEK_MS } from './group-deliveries-job.ts';

/** Picks up weekly digests that are due, and deliveries whose own job has failed permanently. */
export const groupOverdueDeliveriesJob = defineJob({
  name: 'group-overdue-deliveries',
  cron: '* * * * *',
  payload: z.object({}),
  retries: 0,
  expireInSeconds: 60,
  runAtStart: true,
  async handle({ config, db, jobs, clock }) {
    const now = clock.now().getTime();
    const ownerIds = await listOwnersOfOverdueDeliveries(db, {
      every: new Date(now - config.email.groupingSeconds * 1000),
      weekly: new Date(now - WEEK_MS),
    });
    for (const ownerId of ownerIds) {
      await db.transaction((tx) => jobs.enqueue(tx, groupDeliveriesJob, { ownerId }));
    }
  },
});
