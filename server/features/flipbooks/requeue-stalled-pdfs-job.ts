import type { AppContext } from '../../platform/context.ts';
import { makeFlipbookPdfJobDefinition } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { deleteFlipbookPdfRowsFinishedBefore, listOrphanedFlipbookPdfs } from './flipbook-pdf-queries.ts';
import { SILENT_AFTER_MS } from './make-flipbook-pdf-job.ts';
import { enqueueObjectDeletion } from './remove-flipbook-pdfs.ts';

/** How long a PDF can be downloaded. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
/** Longer than others' books ever keep one waiting. */
const LOST_AFTER_MS = 2 * 60 * 60 * 1000;

/**
 * Removes the PDFs whose time is over, and has those made whose worker has died: the queue alone would find that out
 * only when the longest book could have been finished.
 */
export function tendFlipbookPdfsJob(context: Pick<AppContext, 'db' | 'jobs' | 'clock'>): JobHandler<object> {
  return async () => {
    const now = context.clock.now().getTime();
    await context.db.transaction(async (tx) => {
      const old = await deleteFlipbookPdfRowsFinishedBefore(tx, new Date(now - KEPT_FOR_MS));
      await enqueueObjectDeletion(context, tx, old);
      const orphans = await listOrphanedFlipbookPdfs(tx, {
        silentBefore: new Date(now - SILENT_AFTER_MS),
        lostBefore: new Date(now - LOST_AFTER_MS),
      });
      for (const { id, ownerId } of orphans) {
        await context.jobs.enqueue(tx, makeFlipbookPdfJobDefinition, { ownerId, flipbookPdfId: id });
      }
    });
  };
}
