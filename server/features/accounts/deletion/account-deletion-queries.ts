import { and, eq, isNull, lte } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';

export function listUsersToRemind(db: Db, dueBefore: Date): Promise<{ id: string }[]> {
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(lte(users.deletionDueAt, dueBefore), isNull(users.deletionWarnedAt)));
}

type Due = { now: Date; remindedBefore: Date };

export function listUsersToPurge(db: Db, due: Due): Promise<{ id: string }[]> {
  return db.select({ id: users.id }).from(users).where(isDue(due));
}

/** False if a sign-in has brought it back. */
export async function lockUserToPurge(tx: Tx, id: string, due: Due): Promise<boolean> {
  const locked = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), isDue(due)))
    .for('update');
  return locked.length > 0;
}

function isDue({ now, remindedBefore }: Due) {
  return and(lte(users.deletionDueAt, now), lte(users.deletionWarnedAt, remindedBefore));
}
