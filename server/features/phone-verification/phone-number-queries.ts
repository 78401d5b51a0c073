import { and, eq, isNotNull, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { users } from '../../platform/db/schema/accounts/users.ts';
import type { UserRow } from '../accounts/users/user-queries.ts';

const NONE = { phoneNumber: null, phoneVerifiedAt: null };

export async function findUserByPhoneNumber(db: Db, phoneNumber: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(and(eq(users.phoneNumber, phoneNumber), isNotNull(users.phoneVerifiedAt)));
  return row ?? null;
}

/** Assigns the number to this user and removes it from its previous one. */
export async function movePhoneNumber(
  tx: Tx,
  ownerId: string,
  phoneNumber: string,
  now: Date,
): Promise<{ user: UserRow; previousOwner: UserRow | null }> {
  const isVerified = and(eq(users.phoneNumber, phoneNumber), isNotNull(users.phoneVerifiedAt));
  // Serializes users who verify the same number. The rows are locked in the order of their ids to avoid a deadlock.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`phone-number ${phoneNumber}`}, 0))`);
  await tx
    .select({ id: users.id })
    .from(users)
    .where(or(eq(users.id, ownerId), isVerified))
    .orderBy(users.id)
    .for('no key update');
  const [previous] = await tx
    .update(users)
    .set(NONE)
    .where(and(isVerified, ne(users.id, ownerId)))
    .returning();
  const [row] = await tx
    .update(users)
    .set({ phoneNumber, phoneVerifiedAt: now })
    .where(eq(users.id, ownerId))
    .returning();
  if (!row) throw new Error('The user does not exist');
  return { user: row, previousOwner: previous ?? null };
}

/** Null if there was none. */
export async function removePhoneNumber(tx: Tx, ownerId: string): Promise<UserRow | null> {
  const [row] = await tx
    .update(users)
    .set(NONE)
    .where(and(eq(users.id, ownerId), isNotNull(users.phoneNumber)))
    .returning();
  return row ?? null;
}
