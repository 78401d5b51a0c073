import type { AppContext } from '../../platform/context.ts';
import { ConflictError, NotFoundError } from '../../platform/errors.ts';
import { makeFlipbookPdfJobDefinition } from '../job-catalogue.ts';
import { listMemoryIds } from '../memories/memory-list-queries.ts';
import { toMemoryFilters } from '../memories/memory-filters.ts';
import { lockUser } from '../users/user-queries.ts';
import {
  deleteFlipbookPdfRow,
  findFlipbookPdfOf,
  insertFlipbookPdf,
  type FlipbookPdfRow,
} from './flipbook-pdf-queries.ts';
import { enqueueObjectDeletion } from './remove-flipbook-pdfs.ts';

/**
 * Begins the PDF of the memories that are there. It takes the place of the one before; while one of the same memories
 * is being made, that is the answer.
 * @throws NotFoundError when none of the memories is there
 * @throws ConflictError while one of other memories is being made
 */
export async function startFlipbookPdf(
  context: Pick<AppContext, 'db' | 'jobs' | 'clock'>,
  ownerId: string,
  { memoryIds: asked, timeZone }: { memoryIds: string[]; timeZone: string },
): Promise<FlipbookPdfRow> {
  const filters = await toMemoryFilters(context, ownerId, { ids: asked });
  const memoryIds = await listMemoryIds(context.db, ownerId, filters, 'taken');
  if (memoryIds.length === 0) throw new NotFoundError('These memories were not found.');

  return context.db.transaction(async (tx) => {
    // Two at the same moment come one after the other.
    await lockUser(tx, ownerId);
    const former = await findFlipbookPdfOf(tx, ownerId);
    if (former?.status === 'making') {
      if (isSameSelection(former.memoryIds, memoryIds)) return former;
      throw new ConflictError('Another PDF is being made. Please start this one when that is done.');
    }
    if (former) await enqueueObjectDeletion(context, tx, await deleteFlipbookPdfRow(tx, ownerId, former.id));
    const createdAt = context.clock.now();
    const pdf = await insertFlipbookPdf(tx, { ownerId, memoryIds, timeZone, createdAt });
    await context.jobs.enqueue(tx, makeFlipbookPdfJobDefinition, { ownerId, flipbookPdfId: pdf.id });
    return pdf;
  });
}

function isSameSelection(some: string[], others: string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}
