import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteFlipbookPdfRowsWithMemory } from './flipbook-pdf-queries.ts';

export function flipbookPdfKey(id: string): string {
  return `flipbooks/${id}.pdf`;
}

export const deleteFlipbookPdfObjectJob = defineJob({
  name: 'delete-flipbook-pdf-object',
  payload: z.object({ flipbookPdfId: z.string() }),
  retries: 14,
  expireInSeconds: 60,
  handle: ({ storage }, { flipbookPdfId }) => storage.delete(flipbookPdfKey(flipbookPdfId)),
});

export async function enqueueObjectDeletion(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  deleted: { id: string }[],
): Promise<void> {
  for (const { id } of deleted) await jobs.enqueue(tx, deleteFlipbookPdfObjectJob, { flipbookPdfId: id });
}

/** A memory that is deleted permanently must not stay in a PDF. */
export async function deleteFlipbookPdfsOfMemory(
  context: Pick<AppContext, 'jobs'>,
  tx: Tx,
  ownerId: string,
  memoryId: string,
): Promise<void> {
  await enqueueObjectDeletion(context, tx, await deleteFlipbookPdfRowsWithMemory(tx, ownerId, memoryId));
}
