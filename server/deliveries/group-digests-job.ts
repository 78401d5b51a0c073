import type { AppContext } from '../context.ts';
import { groupDeliveriesJobDefinition } from '../jobs/job-catalogue.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { listOwnersOfDueDigests } from './delivery-queries.ts';
import { WEEK_MS } from './group-deliveries-job.ts';

/** Lets the owners' photos be grouped whose contacts have waited for a week. */
export function groupDigestsJob({
  db,
  jobs,
  clock,
}: Pick<AppContext, 'db' | 'jobs' | 'clock'>): JobHandler<object> {
  return async () => {
    const owners = await listOwnersOfDueDigests(db, new Date(clock.now().getTime() - WEEK_MS));
    for (const ownerId of owners) {
      await db.transaction((tx) => jobs.enqueue(tx, groupDeliveriesJobDefinition, { ownerId }));
    }
  };
}
