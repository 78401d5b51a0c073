import { and, eq, gte, lt } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { idempotencyKeys } from '../../platform/db/schema/idempotency-keys.ts';

export type IdempotencyKeyRow = typeof idempotencyKeys.$inferSelect;
/** A call that may come twice. */
export type KeyOfCall = Pick<IdempotencyKeyRow, 'ownerId' | 'call' | 'key'>;

/** What was kept for this call since then, or null. */
export async function findAnswer(db: Db | Tx, of: KeyOfCall, since: Date): Promise<IdempotencyKeyRow | null> {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(isKey(of), gte(idempotencyKeys.createdAt, since)));
  return row ?? null;
}

/**
 * Takes the key for this transaction; one from before then counts as free. False when it is taken, which is only
 * known once the transaction that took it has ended: until then this waits.
 */
export async function claimKey(
  tx: Tx,
  claim: KeyOfCall & Pick<IdempotencyKeyRow, 'requestHash' | 'createdAt'>,
  since: Date,
): Promise<boolean> {
  const { requestHash, createdAt } = claim;
  const claimed = await tx
    .insert(idempotencyKeys)
    .values({ ...claim, status: 0, answer: {} })
    .onConflictDoUpdate({
      target: [idempotencyKeys.ownerId, idempotencyKeys.call, idempotencyKeys.key],
      set: { requestHash, createdAt },
      setWhere: lt(idempotencyKeys.createdAt, since),
    })
    .returning({ key: idempotencyKeys.key });
  return claimed.length > 0;
}

/** Only for a key that this transaction has claimed. */
export async function keepAnswer(
  tx: Tx,
  of: KeyOfCall,
  { status, answer }: Pick<IdempotencyKeyRow, 'status' | 'answer'>,
): Promise<void> {
  // As a JSON text, which Drizzle parses when it reads the column: jsonb sorts the fields of an object, and the repeated
  // answer would not be the same bytes.
  await tx
    .update(idempotencyKeys)
    .set({ status, answer: JSON.stringify(answer) })
    .where(isKey(of));
}

export async function deleteKeysBefore(db: Db, before: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before));
}

function isKey({ ownerId, call, key }: KeyOfCall) {
  return and(
    eq(idempotencyKeys.ownerId, ownerId),
    eq(idempotencyKeys.call, call),
    eq(idempotencyKeys.key, key),
  );
}
