import { createHash } from 'node:crypto';
import { and, desc, eq, exists, getTableColumns, gt, lt, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { invites } from '../../platform/db/schema/invites.ts';
import { users } from '../../platform/db/schema/users.ts';
import { isActiveUser } from '../users/user-queries.ts';

export type InviteRow = typeof invites.$inferSelect;
/** `createdBy` is the administrator's username, `inviter` what they are called in emails. */
export type ListedInvite = InviteRow & { createdBy: string; inviter: string };
type Tokens = { token: string; emailedToken: string | null };

export async function insertInvite(
  db: Db | Tx,
  { token, emailedToken, ...invite }: Omit<InviteRow, 'tokenHash' | 'emailedTokenHash'> & Tokens,
): Promise<void> {
  const emailedTokenHash = emailedToken && hashToken(emailedToken);
  await db.insert(invites).values({ ...invite, tokenHash: hashToken(token), emailedTokenHash });
}

/** Newest first. */
export function listOpenInvites(db: Db, now: Date): Promise<ListedInvite[]> {
  return selectWithCreator(db)
    .where(gt(invites.expiresAt, now))
    .orderBy(desc(invites.createdAt), desc(invites.id));
}

export async function findInvite(db: Db, id: string): Promise<ListedInvite | null> {
  const [row] = await selectWithCreator(db).where(eq(invites.id, id));
  return row ?? null;
}

export async function findOpenInvite(db: Db, token: string, now: Date): Promise<InviteRow | null> {
  const [row] = await db
    .select()
    .from(invites)
    .where(isOpen(db, token, now));
  return row ?? null;
}

/** One of two concurrent callers gets it. */
export async function consumeInvite(
  tx: Tx,
  token: string,
  now: Date,
): Promise<{ isEmailedToken: boolean } | null> {
  const [row] = await tx
    .delete(invites)
    .where(isOpen(tx, token, now))
    .returning();
  return row ? { isEmailedToken: row.emailedTokenHash === hashToken(token) } : null;
}

export async function deleteInvite(db: Db, id: string): Promise<boolean> {
  const deleted = await db.delete(invites).where(eq(invites.id, id)).returning({ id: invites.id });
  return deleted.length > 0;
}

export async function deleteInvitesExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(invites).where(lt(invites.expiresAt, before));
}

/** Invitations end with the role of the administrator who created them. */
const isActiveCreator = and(eq(users.id, invites.ownerId), eq(users.isAdmin, true), isActiveUser);

function selectWithCreator(db: Db) {
  return db
    .select({
      ...getTableColumns(invites),
      createdBy: users.username,
      inviter: sql<string>`coalesce(${users.firstName}, ${users.username})`,
    })
    .from(invites)
    .innerJoin(users, isActiveCreator);
}

function isOpen(db: Db | Tx, token: string, now: Date) {
  const tokenHash = hashToken(token);
  return and(
    or(eq(invites.tokenHash, tokenHash), eq(invites.emailedTokenHash, tokenHash)),
    gt(invites.expiresAt, now),
    exists(db.select({ id: users.id }).from(users).where(isActiveCreator)),
  );
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
