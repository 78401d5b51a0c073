import { BATCH_DAYS, MAX_LOUD_BATCH } from '#shared/transfers/batch';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { InvalidError, NotFoundError } from '../../platform/errors.ts';
import { createDeliveries, resumeDeliveries } from '../deliveries/create-deliveries.ts';
import {
  getBatch,
  lockMemoriesOfBatch,
  notifyOfBatch,
  restoreMemoriesOfBatch,
  trashMemoriesOfBatch,
  updateBatch,
  type BatchRow,
} from './batch-queries.ts';

const FOREIGN_PHOTO = 'Please choose photos that were added together.';

type Context = Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>;
type BatchOf = { ownerId: string; id: string };

/** A batch that began before this can no longer be taken back. */
export function batchCutoff({ clock }: Pick<AppContext, 'clock'>): Date {
  return new Date(clock.now().getTime() - BATCH_DAYS * 24 * 60 * 60 * 1000);
}

/**
 * Idempotent. Contacts get the photos of a small batch, and of a large one those that were chosen.
 * @throws NotFoundError; InvalidError if a chosen memory is not one of the batch
 */
export function finishBatch(
  context: Context,
  { ownerId, id }: BatchOf,
  contactsMemoryIds: string[] = [],
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const batch = await getBatch(tx, ownerId, id, 'update');
    if (batch.finishedAt) return;
    const memories = (await lockMemoriesOfBatch(tx, ownerId, id)).filter(({ deletedAt }) => !deletedAt);
    const chosen = new Set(contactsMemoryIds);
    const isLoud = memories.length <= MAX_LOUD_BATCH;
    const delivered = memories.filter((memory) => isLoud || chosen.has(memory.id));
    if (memories.filter((memory) => chosen.has(memory.id)).length < chosen.size)
      throw new InvalidError(FOREIGN_PHOTO, { contactsMemoryIds: FOREIGN_PHOTO });
    for (const memory of delivered) await createDeliveries(context, tx, memory);
    await updateBatch(tx, ownerId, id, { finishedAt: context.clock.now() });
    await notifyOfBatch(tx, ownerId);
  });
}

/** Idempotent. Moves all of its memories to the trash, and ends it. @throws NotFoundError, also after its BATCH_DAYS */
export function takeBackBatch(context: Context, { ownerId, id }: BatchOf): Promise<void> {
  return context.db.transaction(async (tx) => {
    const batch = await getRecentBatch(context, tx, { ownerId, id });
    if (batch.takenBackAt) return;
    const now = context.clock.now();
    await lockMemoriesOfBatch(tx, ownerId, id);
    await trashMemoriesOfBatch(tx, ownerId, id, now);
    await updateBatch(tx, ownerId, id, { takenBackAt: now, finishedAt: batch.finishedAt ?? now });
  });
}

/** Idempotent. Undoes `takeBackBatch`. @throws NotFoundError */
export function restoreBatch(context: Context, { ownerId, id }: BatchOf): Promise<void> {
  return context.db.transaction(async (tx) => {
    const { takenBackAt } = await getRecentBatch(context, tx, { ownerId, id });
    if (!takenBackAt) return;
    const memories = await lockMemoriesOfBatch(tx, ownerId, id);
    const ids = memories
      .filter(({ deletedAt }) => deletedAt?.getTime() === takenBackAt.getTime())
      .map((memory) => memory.id);
    await restoreMemoriesOfBatch(tx, ownerId, id, ids);
    await resumeDeliveries(context, tx, ownerId, ids);
    await updateBatch(tx, ownerId, id, { takenBackAt: null });
  });
}

async function getRecentBatch(context: Context, tx: Tx, { ownerId, id }: BatchOf): Promise<BatchRow> {
  const batch = await getBatch(tx, ownerId, id, 'update');
  if (batch.createdAt < batchCutoff(context)) throw new NotFoundError();
  return batch;
}
