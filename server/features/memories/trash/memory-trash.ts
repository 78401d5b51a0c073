import { TRASH_DAYS } from '#shared/album/memory';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import { resumeDeliveries } from '../../deliveries/create-deliveries.ts';
import { deleteImage } from '../../images/delete-image.ts';
import { deleteObjects } from '../../storage/delete-objects-job.ts';
import { flipbookPdfKey } from '../../storage/object-keys.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { getMemory, lockMemories, type MemoryRow } from '../memory-queries.ts';
import {
  deleteFlipbookPdfRowsOfMemory,
  deleteMemoryRow,
  restoreMemoryRow,
  restoreMemoryRows,
  trashMemoryRow,
  trashMemoryRows,
} from './memory-trash-queries.ts';

/** Memories deleted before this count as gone, even if the purge has not run yet. */
export function trashCutoff(clock: Clock): Date {
  return new Date(clock.now().getTime() - TRASH_DAYS * 24 * 60 * 60 * 1000);
}

/** Idempotent. @throws NotFoundError when it does not exist or belongs to another owner */
export async function moveMemoryToTrash(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  ownerId: string,
  id: string,
): Promise<void> {
  if (!(await trashMemoryRow(db, ownerId, id, clock.now()))) throw new NotFoundError();
}

/** Idempotent; all or nothing. @throws NotFoundError when one does not exist or belongs to another owner */
export function moveMemoriesToTrash(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  ownerId: string,
  ids: string[],
): Promise<void> {
  return db.transaction(async (tx) => {
    const locked = await lockMemories(tx, ownerId, ids);
    if (locked.length < ids.length) throw new NotFoundError();
    await trashMemoryRows(tx, ownerId, ids, clock.now());
  });
}

/** Idempotent; all or nothing. @throws NotFoundError when one is past the trash's retention or does not exist */
export function restoreMemories(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>,
  ownerId: string,
  ids: string[],
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const since = trashCutoff(context.clock);
    const locked = await lockMemories(tx, ownerId, ids);
    if (locked.length < ids.length || locked.some(({ deletedAt }) => deletedAt && deletedAt < since))
      throw new NotFoundError();
    const restoredIds = locked.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id);
    await restoreMemoryRows(tx, ownerId, restoredIds);
    await resumeDeliveries(context, tx, ownerId, restoredIds);
  });
}

/** Idempotent. @throws NotFoundError when it is past the trash's retention or does not exist */
export function restoreMemory(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>,
  ownerId: string,
  id: string,
): Promise<MemoryRow> {
  return context.db.transaction((tx) => restoreMemoryIn(context, tx, ownerId, id));
}

/** Like `restoreMemory`, in the caller's transaction. */
async function restoreMemoryIn(
  context: Pick<AppContext, 'config' | 'jobs' | 'clock'>,
  tx: Tx,
  ownerId: string,
  id: string,
): Promise<MemoryRow> {
  await restoreMemoryRow(tx, ownerId, id, trashCutoff(context.clock));
  const memory = await getMemory(tx, ownerId, id);
  await resumeDeliveries(context, tx, ownerId, [id]);
  return memory;
}

/** @throws NotFoundError when it is not in this owner's trash */
export function deleteMemoryPermanently(
  context: Pick<AppContext, 'db' | 'jobs'>,
  ownerId: string,
  id: string,
): Promise<void> {
  return context.db.transaction(async (tx) => {
    if (!(await purgeMemory(context, tx, ownerId, id))) throw new NotFoundError();
  });
}

/** The memory's row lock serializes this with a restore. False when it is not in this owner's trash. */
export async function purgeMemory(
  context: Pick<AppContext, 'jobs'>,
  tx: Tx,
  ownerId: string,
  id: string,
): Promise<boolean> {
  const imageId = await deleteMemoryRow(tx, ownerId, id);
  if (imageId === null) return false;
  await deleteImage(context, tx, ownerId, imageId);
  const pdfs = await deleteFlipbookPdfRowsOfMemory(tx, ownerId, id);
  await deleteObjects(context, tx, pdfs.map(flipbookPdfKey));
  return true;
}
