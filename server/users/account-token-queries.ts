import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../db/database.ts';
import { accountTokens } from '../db/schema/users.ts';

export type AccountTokenPurpose = (typeof accountTokens.$inferSelect)['purpose'];

const TOKEN_BYTES = 32;

/** A new token, which is kept nowhere but in the mail that brings it: here is only its hash. */
export async function insertAccountToken(
  tx: Tx,
  of: { ownerId: string; purpose: AccountTokenPurpose; createdAt: Date; expiresAt: Date },
): Promise<{ id: string; token: string }> {
  const id = uuidv7();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await tx.insert(accountTokens).values({ id, tokenHash: hashToken(token), ...of });
  return { id, token };
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

/** Those that were sent and not used are worth nothing any more. */
export async function voidAccountTokens(
  tx: Tx,
  ownerId: string,
  purpose: AccountTokenPurpose,
): Promise<void> {
  await tx
    .delete(accountTokens)
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
