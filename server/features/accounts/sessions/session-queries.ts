import { and, desc, eq, gt, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { prepared } from '../../../platform/db/prepared.ts';
import { sessions } from '../../../platform/db/schema/accounts/sessions.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import { isActiveUser, type UserRow } from '../users/user-queries.ts';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';

/** However often it is renewed. */
export const MAX_SESSION_DAYS = 90;
/** Of one account. */
const MAX_SESSIONS = 100;

const isValid = and(
  gt(sessions.expire, sql`now()`),
  gt(sessions.createdAt, sql`now() - make_interval(days => ${sql.raw(String(MAX_SESSION_DAYS))})`),
);

const latestFirst = desc(sql`coalesce(${sessions.lastSeenAt}, ${sessions.createdAt})`);

const sessionStatement = prepared((db) =>
  db
    .select({
      data: sessions.sess,
      user: users,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    // A pending sign-in has no user yet.
    .leftJoin(users, eq(users.id, sessions.ownerId))
    .where(
      and(
        eq(sessions.sid, sql.placeholder('sid')),
        isValid,
        // A sign-in may store its session after the account's sessions were deleted.
        isActiveUser,
      ),
    )
    .prepare('find_session'),
);

type FoundSession = { data: unknown; user: UserRow | null; createdAt: Date; lastSeenAt: Date | null };

/** One query, because every request runs it. Null for an unknown or expired session, and unless the account is active. */
export async function findSession(db: Db, sid: string): Promise<FoundSession | null> {
  const [found] = await sessionStatement(db).execute({ sid });
  return found ?? null;
}

/** The public id; null unless the session is stored. */
export async function findSessionId(db: Db, sid: string): Promise<string | null> {
  const [row] = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.sid, sid));
  return row?.id ?? null;
}

/** Whether the session with this public id is valid, and its account active. */
export async function isSessionValid(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.ownerId))
    .where(and(eq(sessions.id, id), isValid, isActiveUser));
  return rows.length > 0;
}

/** Keeps a session valid through a change of the password. */
export async function replacePasswordDigest(tx: Tx, sid: string, passwordDigest: string): Promise<void> {
  await tx
    .update(sessions)
    .set({ sess: sql`${sessions.sess} || jsonb_build_object('passwordDigest', ${passwordDigest}::text)` })
    .where(eq(sessions.sid, sid));
}

export type SessionRow = {
  id: string;
  sid: string;
  device: string | null;
  network: string | null;
  createdAt: Date;
  lastSeenAt: Date | null;
};

/** The last used first. */
export async function listSessions(db: Db, ownerId: string): Promise<SessionRow[]> {
  const { id, sid, device, network, createdAt, lastSeenAt } = sessions;
  return db
    .select({ id, sid, device, network, createdAt, lastSeenAt })
    .from(sessions)
    .where(and(eq(sessions.ownerId, ownerId), isValid))
    .orderBy(latestFirst, desc(id));
}

/** Concurrent requests of a page write it once. */
export async function updateSessionUse(
  db: Db,
  sid: string,
  { now, before, device, network }: RequestSource & { before: Date },
): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now, device, network })
    .where(and(eq(sessions.sid, sid), or(isNull(sessions.lastSeenAt), lte(sessions.lastSeenAt, before))));
}

/** Ends the least recently used ones: an unlimited number would fill the table. */
export async function deleteExcessSessions(db: Db, ownerId: string, currentSid: string): Promise<void> {
  const excess = db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(and(eq(sessions.ownerId, ownerId), ne(sessions.sid, currentSid)))
    .orderBy(latestFirst, desc(sessions.id))
    .offset(MAX_SESSIONS - 1);
  await db.delete(sessions).where(inArray(sessions.sid, excess));
}

/** False for another user's. */
export async function deleteSession(db: Db, ownerId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.ownerId, ownerId)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Signs a user out everywhere, except in the session `except`. */
export async function deleteSessions(db: Db | Tx, ownerId: string, except?: string): Promise<void> {
  await db
    .delete(sessions)
    .where(and(eq(sessions.ownerId, ownerId), except === undefined ? undefined : ne(sessions.sid, except)));
}
