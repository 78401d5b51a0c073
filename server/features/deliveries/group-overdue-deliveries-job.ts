import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { listOwnersOfOverdueDeliveries } from './delivery-queries.ts';
import { groupDeliveriesJob, WEEK_MS } from './group-deliveries-job.ts';

/**
 * Enqueues `groupDeliveriesJob` for owners with a delivery past its time: a week for a digest, the grouping time for
 * any other, whose own job then has failed for good.
 */
export const groupOverdueDeliveriesJob = defineJob({
  name: 'group-overdue-deliveries',
  payload: z.object({}),
  retries: 0,
  expireInSeconds: 60,
  cron: '* * * * *',
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
