import { and, eq, gte, lt } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { idempotencyKeys } from '../../platform/db/schema/idempotency-keys.ts';

export type IdempotencyKeyRow = typeof idempotencyKeys.$inferSelect;
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
    .values({ ...claim, status: 0, response: {} })
    .onConflictDoUpdate({
      target: [idempotencyKeys.ownerId, idempotencyKeys.endpoint, idempotencyKeys.key],
      set: { requestHash, createdAt },
      setWhere: lt(idempotencyKeys.createdAt, since),
    })
    .returning({ key: idempotencyKeys.key });
  return claimed.length > 0;
}

/** Only for a key that this transaction has claimed. */
export async function storeResponse(
  tx: Tx,
  key: IdempotencyKey,
  { status, response }: Pick<IdempotencyKeyRow, 'status' | 'response'>,
): Promise<void> {
  // As a JSON string: jsonb reorders fields, so a repeated response would differ in its bytes.
  await tx
    .update(idempotencyKeys)
    .set({ status, response: JSON.stringify(response) })
    .where(isKey(key));
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
