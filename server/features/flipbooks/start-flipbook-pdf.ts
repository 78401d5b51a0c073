import type { AppContext } from '../../platform/context.ts';
import { ConflictError, NotFoundError } from '../../platform/errors.ts';
import { listMemoryIds } from '../memories/memory-queries.ts';
import { toMemoryFilters } from '../memories/lists/memory-filters.ts';
import { lockUser } from '../accounts/users/user-queries.ts';
import { deleteObjects } from '../storage/delete-objects-job.ts';
import { flipbookPdfKey } from '../storage/object-keys.ts';
import {
  deleteFlipbookPdfRow,
  findFlipbookPdfOf,
  insertFlipbookPdf,
  type FlipbookPdfRow,
} from './flipbook-pdf-queries.ts';
import { makeFlipbookPdfJob } from './make-flipbook-pdf-job.ts';

/** Replaces the owner's finished PDF. Idempotent while the same selection is being made. */
export async function startFlipbookPdf(
  context: Pick<AppContext, 'db' | 'jobs' | 'clock' | 'diskSpace'>,
  ownerId: string,
  {
    memoryIds: requestedIds,
    title,
    timeZone,
  }: { memoryIds: string[]; title: string | null; timeZone: string },
): Promise<FlipbookPdfRow> {
  const filters = await toMemoryFilters(context, ownerId, { ids: requestedIds });
  const memoryIds = await listMemoryIds(context.db, ownerId, filters, 'taken');
  if (memoryIds.length === 0) throw new NotFoundError('These memories were not found.');
  await context.diskSpace.requireRoom();

  return context.db.transaction(async (tx) => {
    // Serializes concurrent calls, so that an owner has only one PDF.
    await lockUser(tx, ownerId);
    const previous = await findFlipbookPdfOf(tx, ownerId);
    if (previous?.status === 'making') {
      if (previous.title === title && isSameSelection(previous.memoryIds, memoryIds)) return previous;
      throw new ConflictError('Another PDF is being made. Please start this one when that is done.');
    }
    if (previous) {
      const deleted = await deleteFlipbookPdfRow(tx, ownerId, previous.id);
      await deleteObjects(context, tx, deleted.map(flipbookPdfKey));
    }
    const createdAt = context.clock.now();
    const pdf = await insertFlipbookPdf(tx, { ownerId, title, memoryIds, timeZone, createdAt });
    await context.jobs.enqueue(tx, makeFlipbookPdfJob, { ownerId, flipbookPdfId: pdf.id });
    return pdf;
  });
}

function isSameSelection(a: string[], b: string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === a.length;
}
