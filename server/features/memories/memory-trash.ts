import { TRASH_DAYS } from '#shared/memory';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { removeFlipbookPdfsWith } from '../flipbooks/remove-flipbook-pdfs.ts';
import { resumeDeliveries } from '../deliveries/create-deliveries.ts';
import { deleteImage } from '../images/delete-image.ts';
import type { Clock } from '../../platform/clock.ts';
import { getMemory, type MemoryRow } from './memory-queries.ts';
import { deleteMemoryRow, markMemoryDeleted, unmarkMemoryDeleted } from './memory-trash-queries.ts';

/** What was deleted before is gone for good, also while the job that removes it is still to come. */
export function trashedSince(clock: Clock): Date {
  return new Date(clock.now().getTime() - TRASH_DAYS * 24 * 60 * 60 * 1000);
}

/**
 * From now on it counts, matches and shows nowhere but in the trash, and all of it can be had back. One that is there
 * already is no error: a second click asks for what has come true.
 * @throws NotFoundError when it is not there (any more) or not this owner's
 */
export async function moveMemoryToTrash(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  ownerId: string,
  id: string,
): Promise<void> {
  if (!(await markMemoryDeleted(db, ownerId, id, clock.now()))) throw new NotFoundError();
}

/** Out of the trash, as it was; one that was never in it stays as it is. @throws NotFoundError once it is gone for good */
export function restoreMemory(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>,
  ownerId: string,
  id: string,
): Promise<MemoryRow> {
  return context.db.transaction(async (tx) => {
    await unmarkMemoryDeleted(tx, ownerId, id, trashedSince(context.clock));
    const memory = await getMemory(tx, ownerId, id);
    await resumeDeliveries(context, tx, memory);
    return memory;
  });
}

/** Only out of the trash: what was restored stays. @throws NotFoundError when it is not in this owner's trash */
export function deleteMemoryForGood(
  context: Pick<AppContext, 'db' | 'jobs'>,
  ownerId: string,
  id: string,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    if (!(await removeMemory(context, tx, ownerId, id))) throw new NotFoundError();
  });
}

/**
 * Its row, its picture and the PDF that it is in, all or nothing. Its row's lock decides between this and a restore at the same moment.
 * False when it is not in this owner's trash.
 */
export async function removeMemory(
  context: Pick<AppContext, 'jobs'>,
  tx: Tx,
  ownerId: string,
  id: string,
): Promise<boolean> {
  const imageId = await deleteMemoryRow(tx, ownerId, id);
  if (imageId === null) return false;
  await deleteImage(context, tx, ownerId, imageId);
  await removeFlipbookPdfsWith(context, tx, ownerId, id);
  return true;
}
