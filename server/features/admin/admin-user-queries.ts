import { and, asc, count, desc, eq, getTableColumns, or, sql } from 'drizzle-orm';
import { isOlder } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { storageUsage } from '../../platform/db/schema/storage-usage.ts';
import { totpKeys } from '../../platform/db/schema/second-factors.ts';
import { users } from '../../platform/db/schema/users.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';
import { isActive, isActiveUser, type UserRow } from '../users/user-queries.ts';

/** `isLastAdmin`: the only active administrator. */
export type AdminUserRow = UserRow & { storageBytes: number; isLastAdmin: boolean; isTotpOn: boolean };

/** Newest first. */
export function listUsers(
  db: Db,
  search: string,
  { after, maxRows }: PageRange<CreatedAtCursor>,
): Promise<AdminUserRow[]> {
  return selectUsers(db)
    .where(and(search ? matches(search) : undefined, after ? isOlder(users, after) : undefined))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(maxRows);
}

export async function findAdminUser(db: Db, id: string): Promise<AdminUserRow | null> {
  const [row] = await selectUsers(db).where(eq(users.id, id));
  return row ?? null;
}

const isActiveAdmin = and(eq(users.isAdmin, true), isActiveUser);

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

function selectUsers(db: Db) {
  const activeAdmins = db.select({ count: count() }).from(users).where(isActiveAdmin);
  return db
    .select({
      ...getTableColumns(users),
      storageBytes: sql<number>`coalesce(${storageUsage.bytes}, 0)`.mapWith(Number),
      isLastAdmin: sql<boolean>`${isActiveAdmin} and (${activeAdmins}) = 1`,
      isTotpOn: sql<boolean>`${totpKeys.confirmedAt} is not null`,
    })
    .from(users)
    .leftJoin(storageUsage, eq(storageUsage.ownerId, users.id))
    .leftJoin(totpKeys, eq(totpKeys.ownerId, users.id));
}

/** Not `like`, in which the characters % and _ would match any. */
function matches(search: string) {
  const found = sql`lower(${search})`;
  return or(
    sql`position(${found} in lower(${users.username})) > 0`,
    sql`position(${found} in lower(${users.email})) > 0`,
  );
}
