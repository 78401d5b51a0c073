import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { sessions } from '../../platform/db/schema/sessions.ts';
import { users } from '../../platform/db/schema/users.ts';
import type { UserRow } from '../users/user-queries.ts';

const sessionStatement = prepared((db) =>
  db
    .select({ data: sessions.sess, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.ownerId))
    .where(
      and(
        eq(sessions.sid, sql.placeholder('sid')),
        gt(sessions.expire, sql`now()`),
        // A sign-in may store its session after the account's sessions were deleted.
        isNull(users.disabledAt),
      ),
    )
    .prepare('find_session'),
);

/** One query, because every request runs it. Null for an unknown or expired session, and for a disabled account. */
export async function findSession(db: Db, sid: string): Promise<{ data: unknown; user: UserRow } | null> {
  const [found] = await sessionStatement(db).execute({ sid });
  return found ?? null;
}

/** Keeps a session valid through a change of the password. */
export async function replacePasswordDigest(tx: Tx, sid: string, passwordDigest: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ sess: sql`${sessions.sess} || jsonb_build_object('passwordDigest', ${passwordDigest}::text)` })
    .where(eq(sessions.sid, sid));
}

/** Signs a user out everywhere, except in the session `except`. */
export async function deleteSessions(db: Db | Tx, ownerId: string, except?: string): Promise<void> {
  await db
    .delete(sessions)
    .where(and(eq(sessions.ownerId, ownerId), except === undefined ? undefined : ne(sessions.sid, except)));
}
