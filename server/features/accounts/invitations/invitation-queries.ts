import { createHash } from 'node:crypto';
import { and, desc, eq, exists, getTableColumns, gt, lt, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invitations } from '../../../platform/db/schema/accounts/invitations.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import { isActiveUser } from '../users/user-queries.ts';

export type InvitationRow = typeof invitations.$inferSelect;
type ListedInvitation = InvitationRow & { inviterName: string };
type Tokens = { token: string; emailedToken: string | null };

export async function insertInvitation(
  db: Db | Tx,
  { token, emailedToken, ...invitation }: Omit<InvitationRow, 'tokenHash' | 'emailedTokenHash'> & Tokens,
): Promise<void> {
  const emailedTokenHash = emailedToken && hashToken(emailedToken);
  await db.insert(invitations).values({ ...invitation, tokenHash: hashToken(token), emailedTokenHash });
}

/** Newest first. */
export function listOpenInvitations(db: Db, now: Date): Promise<ListedInvitation[]> {
  return selectWithCreator(db)
    .where(gt(invitations.expiresAt, now))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
}

export async function findInvitation(db: Db, id: string): Promise<ListedInvitation | null> {
  const [row] = await selectWithCreator(db).where(eq(invitations.id, id));
  return row ?? null;
}

export async function findOpenInvitation(db: Db, token: string, now: Date): Promise<InvitationRow | null> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(isOpen(db, token, now));
  return row ?? null;
}

/** One of two concurrent callers gets it. */
export async function consumeInvitation(
  tx: Tx,
  token: string,
  now: Date,
): Promise<{ isEmailedToken: boolean } | null> {
  const [row] = await tx
    .delete(invitations)
    .where(isOpen(tx, token, now))
    .returning();
  return row ? { isEmailedToken: row.emailedTokenHash === hashToken(token) } : null;
}

export async function deleteInvitation(db: Db, id: string): Promise<boolean> {
  const deleted = await db
    .delete(invitations)
    .where(eq(invitations.id, id))
    .returning({ id: invitations.id });
  return deleted.length > 0;
}

export async function deleteInvitationsExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(invitations).where(lt(invitations.expiresAt, before));
}

/** Invitations end with the role of the administrator who created them. */
const isActiveCreator = and(eq(users.id, invitations.ownerId), eq(users.isAdmin, true), isActiveUser);

function selectWithCreator(db: Db) {
  return db
    .select({
      ...getTableColumns(invitations),
      inviterName: sql<string>`coalesce(${users.firstName}, ${users.username})`,
    })
    .from(invitations)
    .innerJoin(users, isActiveCreator);
}

function isOpen(db: Db | Tx, token: string, now: Date) {
  const tokenHash = hashToken(token);
  return and(
    or(eq(invitations.tokenHash, tokenHash), eq(invitations.emailedTokenHash, tokenHash)),
    gt(invitations.expiresAt, now),
    exists(db.select({ id: users.id }).from(users).where(isActiveCreator)),
  );
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
