import { createHash } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { accountTokens } from '../../platform/db/schema/users.ts';

export type AccountTokenPurpose = (typeof accountTokens.$inferSelect)['purpose'];

/**
 * Makes a token valid, of which only the hash is kept; the same one again when its mail is sent again. False when it was
 * used or became void in the meantime.
 */
export async function activateAccountToken(
  db: Db,
  token: string,
  of: { id: string; ownerId: string; purpose: AccountTokenPurpose; createdAt: Date; expiresAt: Date },
): Promise<boolean> {
  const tokenHash = hashToken(token);
  const rows = await db
    .insert(accountTokens)
    .values({ tokenHash, ...of })
    .onConflictDoUpdate({
      target: accountTokens.id,
      set: { tokenHash, expiresAt: of.expiresAt },
      setWhere: isNull(accountTokens.usedAt),
    })
    .returning({ id: accountTokens.id });
  return rows.length > 0;
}

/** Uses it up; whose it is. Null for one that was used, is over or never was. */
export async function useAccountToken(
  tx: Tx,
  purpose: AccountTokenPurpose,
  token: string,
  now: Date,
): Promise<string | null> {
  const [row] = await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(accountTokens.tokenHash, hashToken(token)),
        eq(accountTokens.purpose, purpose),
        isNull(accountTokens.usedAt),
        gt(accountTokens.expiresAt, now),
      ),
    )
    .returning({ ownerId: accountTokens.ownerId });
  return row?.ownerId ?? null;
}

/** Ends those that were not used. They stay known: a mail that is sent again must not bring one back. */
export async function voidAccountTokens(
  tx: Tx,
  ownerId: string,
  purpose: AccountTokenPurpose,
): Promise<void> {
  await tx
    .update(accountTokens)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(accountTokens.ownerId, ownerId),
        eq(accountTokens.purpose, purpose),
        isNull(accountTokens.usedAt),
      ),
    );
}

export async function deleteTokensExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(accountTokens).where(lt(accountTokens.expiresAt, before));
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
