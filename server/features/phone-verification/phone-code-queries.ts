import { eq, lt, lte, sql } from 'drizzle-orm';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { phoneCodes } from '../../platform/db/schema/phone-codes.ts';

export type PhoneCodeRow = typeof phoneCodes.$inferSelect;
export type NewPhoneCode = Omit<PhoneCodeRow, 'wrongTries'>;

/** In place of the older one; not when that has just gone to the same number. @returns whether it is kept */
export async function replacePhoneCode(db: Db, code: NewPhoneCode, now: Date): Promise<boolean> {
  const rows = await db
    .insert(phoneCodes)
    .values(code)
    .onConflictDoUpdate({
      target: phoneCodes.ownerId,
      set: { ...code, wrongTries: 0 },
      setWhere: sql`${phoneCodes.phoneNumber} <> ${code.phoneNumber} or ${lte(phoneCodes.resendAt, now)}`,
    })
    .returning({ id: phoneCodes.id });
  return rows.length > 0;
}

/** Another may be sent at once: this one has perhaps never left. Should it have, it works. */
export async function allowResend(
  db: Db,
  { ownerId, id }: Pick<PhoneCodeRow, 'ownerId' | 'id'>,
  now: Date,
): Promise<void> {
  await db
    .update(phoneCodes)
    .set({ resendAt: now })
    .where(ownedBy(phoneCodes, ownerId, id));
}

/** Whoever tries at the same moment waits their turn: each try is counted. */
export async function lockPhoneCode(tx: Tx, ownerId: string): Promise<PhoneCodeRow | null> {
  const [row] = await tx.select().from(phoneCodes).where(eq(phoneCodes.ownerId, ownerId)).for('update');
  return row ?? null;
}

export async function countWrongTry(tx: Tx, ownerId: string): Promise<void> {
  await tx
    .update(phoneCodes)
    .set({ wrongTries: sql`${phoneCodes.wrongTries} + 1` })
    .where(eq(phoneCodes.ownerId, ownerId));
}

export async function deletePhoneCode(tx: Tx, ownerId: string): Promise<void> {
  await tx.delete(phoneCodes).where(eq(phoneCodes.ownerId, ownerId));
}

export async function deleteCodesExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(phoneCodes).where(lt(phoneCodes.expiresAt, before));
}
