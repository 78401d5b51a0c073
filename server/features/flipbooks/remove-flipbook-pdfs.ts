import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { deleteFlipbookPdfObjectJobDefinition } from '../job-catalogue.ts';
import { deleteFlipbookPdfRowsWith } from './flipbook-pdf-queries.ts';

/** A memory that goes for good takes along the PDF that it is in, made or being made. */
export async function removeFlipbookPdfsWith(
  context: Pick<AppContext, 'jobs'>,
  tx: Tx,
  ownerId: string,
  memoryId: string,
): Promise<void> {
  await enqueueObjectDeletion(context, tx, await deleteFlipbookPdfRowsWith(tx, ownerId, memoryId));
}

/** What is stored of PDFs whose rows were deleted in this transaction goes once that is done. */
export async function enqueueObjectDeletion(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  deleted: { id: string }[],
): Promise<void> {
  for (const { id } of deleted) {
    await jobs.enqueue(tx, deleteFlipbookPdfObjectJobDefinition, { flipbookPdfId: id });
  }
}
