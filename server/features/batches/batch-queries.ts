import { and, desc, eq, gte, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ownedBy } from '../../platform/db/conditions.ts';
import { batches } from '../../platform/db/schema/transfers/batches.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { NotFoundError } from '../../platform/errors.ts';

export type BatchRow = typeof batches.$inferSelect;

/** Idempotent. False if another account has the id. */
export async function insertBatch(
  db: Db,
  batch: Pick<BatchRow, 'id' | 'ownerId' | 'createdAt'>,
): Promise<boolean> {
  await db.insert(batches).values(batch).onConflictDoNothing();
  const rows = await db
    .select({ id: batches.id })
    .from(batches)
    .where(ownedBy(batches, batch.ownerId, batch.id));
  return rows.length > 0;
}

/** @throws NotFoundError */
export async function getBatch(
  db: Db | Tx,
  ownerId: string,
  id: string,
  lock?: 'share' | 'update',
): Promise<BatchRow> {
  const query = db
    .select()
    .from(batches)
    .where(ownedBy(batches, ownerId, id));
  const [row] = await (lock ? query.for(lock) : query);
  if (!row) throw new NotFoundError();
  return row;
}

export async function updateBatch(
  tx: Tx,
  ownerId: string,
  id: string,
  changes: Partial<Pick<BatchRow, 'finishedAt' | 'takenBackAt'>>,
): Promise<void> {
  await tx
    .update(batches)
    .set(changes)
    .where(ownedBy(batches, ownerId, id));
}

export function listBatches(db: Db, ownerId: string, since: Date): Promise<(BatchRow & { count: number })[]> {
  const count = db.$count(memories, eq(memories.batchId, batches.id));
  return db
    .select({
      id: batches.id,
      ownerId: batches.ownerId,
      createdAt: batches.createdAt,
      finishedAt: batches.finishedAt,
      takenBackAt: batches.takenBackAt,
      count,
    })
    .from(batches)
    .where(and(eq(batches.ownerId, ownerId), gte(batches.createdAt, since)))
    .orderBy(desc(batches.createdAt), desc(batches.id));
}

/** Unfinished, and without a new memory since. */
export function listAbandonedBatches(db: Db, since: Date): Promise<Pick<BatchRow, 'id' | 'ownerId'>[]> {
  const newer = db
    .select({ one: sql`1` })
    .from(memories)
    .where(and(eq(memories.batchId, batches.id), gte(memories.createdAt, since)));
  return db
    .select({ id: batches.id, ownerId: batches.ownerId })
    .from(batches)
    .where(and(isNull(batches.finishedAt), lt(batches.createdAt, since), notExists(newer)));
}

type BatchMemory = Pick<typeof memories.$inferSelect, 'id' | 'ownerId' | 'createdAt' | 'deletedAt'>;

/** In the order of their ids. */
export function lockMemoriesOfBatch(tx: Tx, ownerId: string, batchId: string): Promise<BatchMemory[]> {
  const { id, createdAt, deletedAt } = memories;
  return tx
    .select({ id, ownerId: memories.ownerId, createdAt, deletedAt })
    .from(memories)
    .where(and(eq(memories.ownerId, ownerId), eq(memories.batchId, batchId)))
    .orderBy(id)
    .for('no key update');
}

export async function trashMemoriesOfBatch(
  tx: Tx,
  ownerId: string,
  batchId: string,
  deletedAt: Date,
): Promise<void> {
  await tx
    .update(memories)
    .set({ deletedAt })
    .where(and(eq(memories.ownerId, ownerId), eq(memories.batchId, batchId), isNull(memories.deletedAt)));
}

/** Those that were deleted with the batch, not those that a person deleted before. @returns their ids */
export async function restoreMemoriesOfBatch(
  tx: Tx,
  ownerId: string,
  batchId: string,
  ids: string[],
): Promise<void> {
  await tx
    .update(memories)
    .set({ deletedAt: null })
    .where(
      and(
        eq(memories.ownerId, ownerId),
        eq(memories.batchId, batchId),
        isNotNull(memories.deletedAt),
        sql`${memories.id} = any(${sql.param(ids)}::uuid[])`,
      ),
    );
}

/** Memories of a batch send no event when they are added: their batch sends one. */
export async function notifyOfBatch(tx: Tx, ownerId: string): Promise<void> {
  const event = JSON.stringify({ ownerId, kind: 'memory', ids: null });
  await tx.execute(sql`select pg_notify('account_events', ${event})`);
}
