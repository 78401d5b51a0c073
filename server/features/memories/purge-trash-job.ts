import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { lockMemoriesToPurge } from './memory-trash-queries.ts';
import { removeMemory, trashedSince } from './memory-trash.ts';

/** Few enough that nobody who restores one waits for long. */
const BATCH = 50;

type Context = Pick<AppContext, 'db' | 'jobs' | 'clock'>;

/**
 * Removes what has been in the trash for its time. Each transaction takes some along whole: ended in the middle, it
 * goes on where it was. One that is restored right now is passed over.
 */
export function purgeTrashJob(context: Context): JobHandler<object> {
  return async () => {
    while (await purgeSome(context));
  };
}

function purgeSome(context: Context): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const memories = await lockMemoriesToPurge(tx, trashedSince(context.clock), BATCH);
    for (const { ownerId, id } of memories) await removeMemory(context, tx, ownerId, id);
    return memories.length > 0;
  });
}
