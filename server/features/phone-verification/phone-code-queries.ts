import { eq, lt, lte, sql } from 'drizzle-orm';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { phoneCodes } from '../../platform/db/schema/accounts/phone-codes.ts';
import type { KeyedHash } from '../../platform/security/keyed-hash.ts';

type PhoneCodeRow = typeof phoneCodes.$inferSelect;
type NewPhoneCode = Omit<PhoneCodeRow, 'failedAttempts'>;

export function hashCode(keyedHash: KeyedHash, ownerId: string, phoneNumber: string, code: string): string {
  return keyedHash('phone-code', ownerId, phoneNumber, code);
}

/** Returns false and keeps the stored code when it was sent to the same number moments ago. */
export async function replacePhoneCode(db: Db, code: NewPhoneCode, now: Date): Promise<boolean> {
  const rows = await db
    .insert(phoneCodes)
    .values(code)
    .onConflictDoUpdate({
      target: phoneCodes.ownerId,
      set: { ...code, failedAttempts: 0 },
      setWhere: sql`${phoneCodes.phoneNumber} <> ${code.phoneNumber} or ${lte(phoneCodes.resendAt, now)}`,
    })
    .returning({ id: phoneCodes.id });
  return rows.length > 0;
}

/** After a failure to send. The code stays valid, since the SMS may have been sent all the same. */
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

/** Serializes verifications, so that each wrong attempt is counted. */
export async function lockPhoneCode(tx: Tx, ownerId: string): Promise<PhoneCodeRow | null> {
  const [row] = await tx.select().from(phoneCodes).where(eq(phoneCodes.ownerId, ownerId)).for('update');
  return row ?? null;
}

export async function countWrongAttempt(tx: Tx, ownerId: string): Promise<void> {
  await tx
    .update(phoneCodes)
    .set({ failedAttempts: sql`${phoneCodes.failedAttempts} + 1` })
    .where(eq(phoneCodes.ownerId, ownerId));
}

export async function deletePhoneCode(tx: Tx, ownerId: string): Promise<void> {
  await tx.delete(phoneCodes).where(eq(phoneCodes.ownerId, ownerId));
}

export async function deletePhoneCodesExpiredBefore(db: Db, before: Date): Promise<void> {
  await db.delete(phoneCodes).where(lt(phoneCodes.expiresAt, before));
}
