import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { enqueueObjectDeletion } from './delete-flipbook-pdf-object-job.ts';
import { deleteFlipbookPdfRowsFinishedBefore, listStalledFlipbookPdfs } from './flipbook-pdf-queries.ts';
import { makeFlipbookPdfJob, WORKER_TIMEOUT_MS } from './make-flipbook-pdf-job.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;
/** Longer than a PDF waits behind those of other accounts. */
const START_TIMEOUT_MS = 2 * 60 * 60 * 1000;

/** The queue would requeue a PDF whose worker died only after the two hours of its job's expiry. */
export const requeueStalledPdfsJob = defineJob({
  name: 'requeue-stalled-pdfs',
  payload: z.object({}),
  retries: 0,
  expireInSeconds: 60,
  cron: '* * * * *',
  async handle(context) {
    const now = context.clock.now().getTime();
    await context.db.transaction(async (tx) => {
      const expired = await deleteFlipbookPdfRowsFinishedBefore(tx, new Date(now - RETENTION_MS));
      await enqueueObjectDeletion(context, tx, expired);
      const stalled = await listStalledFlipbookPdfs(tx, {
        heartbeatBefore: new Date(now - WORKER_TIMEOUT_MS),
        createdBefore: new Date(now - START_TIMEOUT_MS),
      });
      for (const { id, ownerId } of stalled) {
        await context.jobs.enqueue(tx, makeFlipbookPdfJob, { ownerId, flipbookPdfId: id });
      }
    });
  },
});
