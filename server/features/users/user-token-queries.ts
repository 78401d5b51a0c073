import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { users, userTokens } from '../../platform/db/schema/users.ts';
import type { UserRow } from './user-queries.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long an emailed link works. */
export const USER_TOKEN_LIFETIMES_MS = {
  'verify-email': 24 * HOUR_MS,
  'reset-password': HOUR_MS,
  'start-again': 24 * HOUR_MS,
};

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

export async function consumeUserToken(
  tx: Tx,
  purpose: UserTokenPurpose,
  token: string,
  now: Date,
): Promise<{ ownerId: string; isEmailed: boolean } | null> {
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
    .returning({ ownerId: userTokens.ownerId, isEmailed: userTokens.isEmailed });
  return row ?? null;
}

/** Revoked rows stay until they expire: an email that is sent again must not reactivate its token. */
export async function revokeUserTokens(
  tx: Tx,
  ownerId: string,
  ...purposes: UserTokenPurpose[]
): Promise<void> {
  await tx
    .update(userTokens)
    .set({ usedAt: sql`now()` })
    .where(
      and(eq(userTokens.ownerId, ownerId), inArray(userTokens.purpose, purposes), isNull(userTokens.usedAt)),
    );
}

export async function deleteUserTokensExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(userTokens).where(lt(userTokens.expiresAt, before));
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
