import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import { isActive, isActiveUser, type UserRow } from './user-queries.ts';

export async function hasAdmins(db: Db | Tx): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(1);
  return rows.length > 0;
}

/** Concurrent callers wait for each other, so that only one of them is first. */
export async function isFirstAdmin(tx: Tx): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('first-administrator', 0))`);
  return !(await hasAdmins(tx));
}

export const isActiveAdmin = and(eq(users.isAdmin, true), isActiveUser);

/**
 * Locks this user and all active administrators: of two acts that would remove the last two, the second
 * sees the first one's result. In the order of their ids, as all locks of several users.
 */
export async function lockWithAdmins(tx: Tx, id: string): Promise<UserRow[]> {
  return tx
    .select()
    .from(users)
    .where(or(eq(users.id, id), isActiveAdmin))
    .orderBy(users.id)
    .for('no key update');
}

/** @param locked by `lockWithAdmins` */
export function isLastAdmin(locked: UserRow[], id: string): boolean {
  const admins = locked.filter((user) => user.isAdmin && isActive(user));
  return admins.length === 1 && admins[0]?.id === id;
}

export function listAdmins(db: Db | Tx): Promise<UserRow[]> {
  return db.select().from(users).where(eq(users.isAdmin, true)).orderBy(asc(users.createdAt), asc(users.id));
}
