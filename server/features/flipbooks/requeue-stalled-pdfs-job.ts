import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { restartStalledItems } from '../../platform/jobs/work-item.ts';
import { deleteObjects } from '../storage/delete-objects-job.ts';
import { flipbookPdfKey } from '../storage/object-keys.ts';
import { deleteFlipbookPdfRowsFinishedBefore } from './flipbook-pdf-queries.ts';
import { flipbookPdfItems } from './make-flipbook-pdf-job.ts';

const RETENTION_MS = 24 * 60 * 60 * 1000;

export const requeueStalledPdfsJob = defineJob({
  name: 'requeue-stalled-pdfs',
  cron: '* * * * *',
  payload: z.object({}),
  retries: 0,
  expireInSeconds: 60,
  async handle(context) {
    const finishedBefore = new Date(context.clock.now().getTime() - RETENTION_MS);
    await context.db.transaction(async (tx) => {
      const expired = await deleteFlipbookPdfRowsFinishedBefore(tx, finishedBefore);
      await deleteObjects(context, tx, expired.map(flipbookPdfKey));
      await restartStalledItems(context, tx, flipbookPdfItems);
    });
  },
});
