import type { AppContext } from '../context.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { listGeneratingSinceBefore } from './caricature-queries.ts';
import { forgetFormerDays } from './caricature-usage.ts';
import { failCaricature } from './fail-caricature.ts';

/** How long anybody waits for a caricature. */
export const GIVEN_UP_AFTER_MS = 10 * 60 * 1000;

/** Gives up what was not drawn in time, whatever became of its job: nothing is being drawn forever. */
export function tendCaricaturesJob(context: Pick<AppContext, 'db' | 'jobs' | 'clock'>): JobHandler<object> {
  return async () => {
    const before = new Date(context.clock.now().getTime() - GIVEN_UP_AFTER_MS);
    for (const overdue of await listGeneratingSinceBefore(context.db, before))
      await failCaricature(context, overdue, 'timed-out');
    await forgetFormerDays(context);
  };
}
