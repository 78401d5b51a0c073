import { and, desc, eq, gt, isNull, lt, lte, or } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../../platform/db/conditions.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { passkeyChallenges, passkeys } from '../../../platform/db/schema/accounts/passkeys.ts';

export type PasskeyRow = typeof passkeys.$inferSelect;

/** Newest first. */
export function listPasskeys(db: Db | Tx, ownerId: string): Promise<PasskeyRow[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.ownerId, ownerId))
    .orderBy(desc(passkeys.createdAt), desc(passkeys.id));
}

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row ?? null;
}

export async function createPasskey(
  tx: Tx,
  passkey: Omit<PasskeyRow, 'id' | 'lastUsedAt'>,
): Promise<PasskeyRow> {
  const [row] = await tx
    .insert(passkeys)
    .values({ id: uuidv7(), ...passkey })
    .returning();
  if (!row) throw new Error('The new passkey was not returned');
  return row;
}

export async function renamePasskey(
  db: Db,
  ownerId: string,
  id: string,
  name: string,
): Promise<PasskeyRow | null> {
  const [row] = await db
    .update(passkeys)
    .set({ name })
    .where(ownedBy(passkeys, ownerId, id))
    .returning();
  return row ?? null;
}

export async function deletePasskey(tx: Tx, ownerId: string, id: string): Promise<boolean> {
  const rows = await tx
    .delete(passkeys)
    .where(ownedBy(passkeys, ownerId, id))
    .returning({ id: passkeys.id });
  return rows.length > 0;
}

/** Also ends additions that have begun. */
export async function deletePasskeys(tx: Tx, ownerId: string): Promise<void> {
  await tx.delete(passkeys).where(eq(passkeys.ownerId, ownerId));
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.ownerId, ownerId));
}

/** False if the counter did not grow, which means a copy of the passkey. Authenticators without a counter send 0. */
export async function countPasskeyUse(
  db: Db,
  id: string,
  { counter, now }: { counter: number; now: Date },
): Promise<boolean> {
  const hasGrown = or(lt(passkeys.counter, counter), counter === 0 ? eq(passkeys.counter, 0) : undefined);
  const rows = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), hasGrown))
    .returning({ id: passkeys.id });
  return rows.length > 0;
}

export async function createChallenge(
  db: Db,
  challenge: typeof passkeyChallenges.$inferInsert,
): Promise<void> {
  await db.insert(passkeyChallenges).values(challenge);
}

/** Each challenge works once, also for concurrent attempts. `ownerId` null: one for signing in. */
export async function consumeChallenge(
  db: Db,
  { challenge, ownerId, now }: { challenge: string; ownerId: string | null; now: Date },
): Promise<boolean> {
  const rows = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challenge, challenge),
        ownerId === null ? isNull(passkeyChallenges.ownerId) : eq(passkeyChallenges.ownerId, ownerId),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ challenge: passkeyChallenges.challenge });
  return rows.length > 0;
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now));
}
