import * as z from 'zod';
import type { Tx } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';

const DELAY_SECONDS = 60;

/** Deletes an object that a backup may have needed. While another one runs, the storage enqueues it again. */
export const deleteObjectJob = defineJob({
  name: 'delete-object',
  payload: z.object({ key: z.string() }),
  retries: 14,
  expireInSeconds: 60,
  handle: ({ storage }, { key }) => storage.delete(key),
});

export function enqueueDeletion(jobs: JobQueue, tx: Tx, key: string): Promise<void> {
  return jobs.enqueue(tx, deleteObjectJob, { key }, { delaySeconds: DELAY_SECONDS });
}
