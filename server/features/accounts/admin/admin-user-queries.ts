import { and, count, desc, eq, getTableColumns, or, sql } from 'drizzle-orm';
import { isOlder } from '../../../platform/db/conditions.ts';
import type { Db } from '../../../platform/db/database.ts';
import { storageUsage } from '../../../platform/db/schema/storage-usage.ts';
import { totpKeys } from '../../../platform/db/schema/accounts/second-factors.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import type { CreatedAtCursor, PageRange } from '../../../platform/pagination.ts';
import { isActiveAdmin } from '../users/admin-queries.ts';
import type { UserRow } from '../users/user-queries.ts';

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
