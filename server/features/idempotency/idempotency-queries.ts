import { and, eq, gte, lt } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { idempotencyKeys } from '../../platform/db/schema/idempotency-keys.ts';

type IdempotencyKeyRow = typeof idempotencyKeys.$inferSelect;
export type IdempotencyKey = Pick<IdempotencyKeyRow, 'ownerId' | 'endpoint' | 'key'>;

/** Null without a row for this key created at or after `since`. */
export async function findIdempotencyKeyRow(
  db: Db | Tx,
  key: IdempotencyKey,
  since: Date,
): Promise<IdempotencyKeyRow | null> {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(isKey(key), gte(idempotencyKeys.createdAt, since)));
  return row ?? null;
}

/** Waits for a concurrent transaction that claims the key, and returns false if it commits. Expired keys are replaced. */
export async function claimIdempotencyKey(
  tx: Tx,
  claim: IdempotencyKey & Pick<IdempotencyKeyRow, 'requestHash' | 'createdAt'>,
  since: Date,
): Promise<boolean> {
  const { requestHash, createdAt } = claim;
  const claimed = await tx
    .insert(idempotencyKeys)
    .values(claim)
    .onConflictDoUpdate({
      target: [idempotencyKeys.ownerId, idempotencyKeys.endpoint, idempotencyKeys.key],
      set: { requestHash, createdAt, resourceId: null },
      setWhere: lt(idempotencyKeys.createdAt, since),
    })
    .returning({ key: idempotencyKeys.key });
  return claimed.length > 0;
}

/** Only for a key that this transaction has claimed. */
export async function storeResourceId(tx: Tx, key: IdempotencyKey, resourceId: string): Promise<void> {
  await tx.update(idempotencyKeys).set({ resourceId }).where(isKey(key));
}

export async function deleteIdempotencyKeysBefore(db: Db, before: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before));
}

function isKey({ ownerId, endpoint, key }: IdempotencyKey) {
  return and(
    eq(idempotencyKeys.ownerId, ownerId),
    eq(idempotencyKeys.endpoint, endpoint),
    eq(idempotencyKeys.key, key),
  );
}
