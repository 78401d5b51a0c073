import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { listGeneratingSinceBefore, markCaricatureCompleted } from './caricature-queries.ts';
import { forgetFormerDays } from './caricature-usage.ts';
import { GIVEN_UP_AFTER_MS } from './generation-timeouts.ts';
import { failCaricature } from './fail-caricature.ts';

/**
 * Ends what is not completed in time, even if its job is lost: nothing stays generating forever. What is drawn is shown,
 * since it is paid; widths that are missing are made on demand.
 */
export function tendCaricaturesJob(context: Pick<AppContext, 'db' | 'clock'>): JobHandler<object> {
  return async () => {
    const before = new Date(context.clock.now().getTime() - GIVEN_UP_AFTER_MS);
    for (const { ownerId, id, imageId } of await listGeneratingSinceBefore(context.db, before)) {
      if (imageId) await markCaricatureCompleted(context.db, ownerId, id);
      else await failCaricature(context, { ownerId, id }, 'timed-out');
    }
    await forgetFormerDays(context);
  };
}
