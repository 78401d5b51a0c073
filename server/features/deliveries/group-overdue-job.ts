import type { AppContext } from '../../platform/context.ts';
import { groupDeliveriesJobDefinition } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { listOwnersOfOverdueDeliveries } from './delivery-queries.ts';
import { WEEK_MS } from './group-deliveries-job.ts';

/**
 * Lets the owners' photos be grouped that have waited long enough: for a week, for a digest; for as long as a group
 * stays open, should the job that was to close it have gone down with its process.
 */
export function groupOverdueJob({
  config,
  db,
  jobs,
  clock,
}: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>): JobHandler<object> {
  return async () => {
    const now = clock.now().getTime();
    const owners = await listOwnersOfOverdueDeliveries(db, {
      every: new Date(now - config.email.groupingSeconds * 1000),
      weekly: new Date(now - WEEK_MS),
    });
    for (const ownerId of owners) {
      await db.transaction((tx) => jobs.enqueue(tx, groupDeliveriesJobDefinition, { ownerId }));
    }
  };
}
