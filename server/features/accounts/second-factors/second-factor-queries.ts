import { and, eq, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { recoveryCodes, totpKeys } from '../../../platform/db/schema/accounts/second-factors.ts';

export type TotpKeyRow = typeof totpKeys.$inferSelect;

export async function findTotpKey(db: Db | Tx, ownerId: string): Promise<TotpKeyRow | null> {
  const [row] = await db.select().from(totpKeys).where(eq(totpKeys.ownerId, ownerId));
  return row ?? null;
}

/** Replaces a key that was not confirmed. False if one is in use. */
export async function storeUnconfirmedKey(
  db: Db,
  key: Pick<TotpKeyRow, 'ownerId' | 'encryptedSecret' | 'createdAt'>,
): Promise<boolean> {
  const { encryptedSecret, createdAt } = key;
  const rows = await db
    .insert(totpKeys)
    .values(key)
    .onConflictDoUpdate({
      target: totpKeys.ownerId,
      set: { encryptedSecret, createdAt },
      setWhere: isNull(totpKeys.confirmedAt),
    })
    .returning({ ownerId: totpKeys.ownerId });
  return rows.length > 0;
}

/** False if the key was confirmed or replaced since it was read. */
export async function confirmKey(
  tx: Tx,
  { ownerId, encryptedSecret }: Pick<TotpKeyRow, 'ownerId' | 'encryptedSecret'>,
  { now, step }: { now: Date; step: number },
): Promise<boolean> {
  const rows = await tx
    .update(totpKeys)
    .set({ confirmedAt: now, lastStep: step })
    .where(
      and(
        eq(totpKeys.ownerId, ownerId),
        eq(totpKeys.encryptedSecret, encryptedSecret),
        isNull(totpKeys.confirmedAt),
      ),
    )
    .returning({ ownerId: totpKeys.ownerId });
  return rows.length > 0;
}

/** Each time step counts once, also for concurrent attempts. False for a used or an earlier one. */
export async function consumeTimeStep(db: Db, ownerId: string, step: number): Promise<boolean> {
  const rows = await db
    .update(totpKeys)
    .set({ lastStep: step })
    .where(
      and(
        eq(totpKeys.ownerId, ownerId),
        isNotNull(totpKeys.confirmedAt),
        or(isNull(totpKeys.lastStep), lt(totpKeys.lastStep, step)),
      ),
    )
    .returning({ ownerId: totpKeys.ownerId });
  return rows.length > 0;
}

/** With the recovery codes. */
export async function deleteKey(tx: Tx, ownerId: string): Promise<void> {
  await tx.delete(totpKeys).where(eq(totpKeys.ownerId, ownerId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.ownerId, ownerId));
}

/** An app and recovery codes from before stay. */
export async function deleteSecondFactorsSince(tx: Tx, ownerId: string, since: Date): Promise<void> {
  const isSince = or(isNull(totpKeys.confirmedAt), gte(totpKeys.confirmedAt, since));
  await tx.delete(totpKeys).where(and(eq(totpKeys.ownerId, ownerId), isSince));
  await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.ownerId, ownerId), gte(recoveryCodes.createdAt, since)));
}

export async function replaceRecoveryCodes(
  tx: Tx,
  ownerId: string,
  { codeHashes, now }: { codeHashes: string[]; now: Date },
): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.ownerId, ownerId));
  await tx
    .insert(recoveryCodes)
    .values(codeHashes.map((codeHash) => ({ ownerId, codeHash, createdAt: now })));
}

/** Each code works once, also for concurrent attempts. False for an unknown or a used one. */
export async function consumeRecoveryCode(
  tx: Tx,
  { ownerId, codeHash, now }: { ownerId: string; codeHash: string; now: Date },
): Promise<boolean> {
  const rows = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.ownerId, ownerId),
        eq(recoveryCodes.codeHash, codeHash),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ ownerId: recoveryCodes.ownerId });
  return rows.length > 0;
}

export async function isRecoveryCodeUsed(db: Db, ownerId: string, codeHash: string): Promise<boolean> {
  const rows = await db
    .select({ ownerId: recoveryCodes.ownerId })
    .from(recoveryCodes)
    .where(
      and(
        eq(recoveryCodes.ownerId, ownerId),
        eq(recoveryCodes.codeHash, codeHash),
        isNotNull(recoveryCodes.usedAt),
      ),
    );
  return rows.length > 0;
}

export async function countRecoveryCodes(db: Db | Tx, ownerId: string): Promise<number> {
  const [row] = await db
    .select({ left: sql<number>`count(*)::int` })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.ownerId, ownerId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}
