import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invitations } from '../../../platform/db/schema/accounts/invitations.ts';
import { users, userTokens } from '../../../platform/db/schema/accounts/users.ts';
import { isActiveUser, type UserRow } from './user-queries.ts';

export type UserTokenPurpose = (typeof userTokens.$inferSelect)['purpose'];

/** Idempotent, so that a resent email has the same link. False when the token has been used or revoked. */
export async function storeUserToken(
  db: Db | Tx,
  token: string,
  row: {
    id: string;
    ownerId: string;
    purpose: UserTokenPurpose;
    isEmailed: boolean;
    createdBy: string | null;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const tokenHash = hashToken(token);
  const rows = await db
    .insert(userTokens)
    .values({ tokenHash, ...row })
    .onConflictDoUpdate({
      target: userTokens.id,
      set: { tokenHash, expiresAt: row.expiresAt },
      setWhere: isNull(userTokens.usedAt),
    })
    .returning({ id: userTokens.id });
  return rows.length > 0;
}

/** The owner of a token that has not been used. With `now` null, it may have expired. */
export async function findUserTokenOwner(
  db: Db | Tx,
  purpose: UserTokenPurpose,
  token: string,
  now: Date | null,
): Promise<UserRow | null> {
  const [row] = await db
    .select({ user: users })
    .from(userTokens)
    .innerJoin(users, eq(users.id, userTokens.ownerId))
    .where(
      and(
        eq(userTokens.tokenHash, hashToken(token)),
        eq(userTokens.purpose, purpose),
        isNull(userTokens.usedAt),
        now ? gt(userTokens.expiresAt, now) : undefined,
      ),
    );
  return row?.user ?? null;
}

/** As `lockUser`, since a change of the account revokes its tokens while it holds the user's row. */
export async function lockUserOfToken(tx: Tx, purpose: UserTokenPurpose, token: string): Promise<void> {
  const ownerIds = tx
    .select({ id: userTokens.ownerId })
    .from(userTokens)
    .where(and(eq(userTokens.tokenHash, hashToken(token)), eq(userTokens.purpose, purpose)));
  await tx.select({ id: users.id }).from(users).where(inArray(users.id, ownerIds)).for('no key update');
}

export type ConsumedToken = Pick<
  typeof userTokens.$inferSelect,
  'ownerId' | 'isEmailed' | 'createdBy' | 'createdAt'
>;

export async function consumeUserToken(
  tx: Tx,
  purpose: UserTokenPurpose,
  token: string,
  now: Date,
): Promise<ConsumedToken | null> {
  const [row] = await tx
    .update(userTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(userTokens.tokenHash, hashToken(token)),
        eq(userTokens.purpose, purpose),
        isNull(userTokens.usedAt),
        gt(userTokens.expiresAt, now),
      ),
    )
    .returning({
      ownerId: userTokens.ownerId,
      isEmailed: userTokens.isEmailed,
      createdBy: userTokens.createdBy,
      createdAt: userTokens.createdAt,
    });
  return row ?? null;
}

/** A link of an administrator needs its maker's role, and is never for another administrator, also a later one. */
export async function isMakerEntitled(
  tx: Tx,
  { ownerId, createdBy }: Pick<ConsumedToken, 'ownerId' | 'createdBy'>,
): Promise<boolean> {
  if (createdBy === null) return true;
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [ownerId, createdBy]), eq(users.isAdmin, true), isActiveUser));
  return admins.length === 1 && admins[0]?.id === createdBy;
}

/** Revoked rows stay until they expire: an email that is sent again must not reactivate its token. */
export async function revokeUserTokens(
  tx: Tx,
  ownerId: string,
  ...purposes: UserTokenPurpose[]
): Promise<void> {
  await revoke(tx, and(eq(userTokens.ownerId, ownerId), inArray(userTokens.purpose, purposes)));
}

/** Links that were handed over, or that an administrator asked for. The owner's own ones stay. */
export async function revokeLinksOfOthers(tx: Tx, ownerId: string): Promise<void> {
  const isOfOthers = or(eq(userTokens.isEmailed, false), isNotNull(userTokens.createdBy));
  await revoke(tx, and(eq(userTokens.ownerId, ownerId), isOfOthers));
}

/** Links that somebody else had in hand. */
export async function revokeHandedOverLinks(tx: Tx, ownerId: string): Promise<void> {
  await revoke(tx, and(eq(userTokens.ownerId, ownerId), eq(userTokens.isEmailed, false)));
}

/** When the role begins or ends: those for this account, and what it made, with its invitations. A later role does not bring them back. */
export async function revokeLinksOfAdmins(tx: Tx, userId: string): Promise<void> {
  const isFor = and(eq(userTokens.ownerId, userId), isNotNull(userTokens.createdBy));
  await revoke(tx, or(isFor, eq(userTokens.createdBy, userId)));
  await tx.delete(invitations).where(eq(invitations.ownerId, userId));
}

async function revoke(tx: Tx, condition: SQL | undefined): Promise<void> {
  await tx
    .update(userTokens)
    .set({ usedAt: sql`now()` })
    .where(and(condition, isNull(userTokens.usedAt)));
}

export async function deleteUserTokensExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(userTokens).where(lt(userTokens.expiresAt, before));
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
