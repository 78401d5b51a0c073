import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { listStaleCaricatures, markCaricatureCompleted } from './caricature-queries.ts';
import { deleteOldUsage } from './caricature-usage.ts';
import { CARICATURE_TIMEOUT_MS } from './generation-timeouts.ts';
import { failCaricature } from './fail-caricature.ts';

/**
 * Ends what is not completed in time, even if its job is lost: nothing stays generating forever. What is drawn is shown,
 * since it is paid; widths that are missing are made on demand.
 */
export function expireStaleCaricaturesJob(context: Pick<AppContext, 'db' | 'clock'>): JobHandler<object> {
  return async () => {
    const before = new Date(context.clock.now().getTime() - CARICATURE_TIMEOUT_MS);
    for (const { ownerId, id, imageId } of await listStaleCaricatures(context.db, before)) {
      if (imageId) await markCaricatureCompleted(context.db, ownerId, id);
      else await failCaricature(context, { ownerId, id }, 'timed-out');
    }
    await deleteOldUsage(context);
  };
}
