import * as z from 'zod';
import type { AppContext } from '../../../platform/context.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { lockMemoriesToPurge } from './memory-trash-queries.ts';
import { purgeMemory, trashCutoff } from './memory-trash.ts';

/** Small, since a concurrent restore waits for the batch's transaction. */
const BATCH_SIZE = 50;

export const purgeTrashJob = defineJob({
  name: 'purge-trash',
  cron: '37 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  async handle(context) {
    while (await purgeBatch(context));
  },
});

function purgeBatch(context: AppContext): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const memories = await lockMemoriesToPurge(tx, trashCutoff(context.clock), BATCH_SIZE);
    for (const { ownerId, id } of memories) await purgeMemory(context, tx, ownerId, id);
    return memories.length > 0;
  });
}
