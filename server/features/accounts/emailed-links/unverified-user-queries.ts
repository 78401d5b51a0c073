import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { contacts, suppressionEntries } from '../../../platform/db/schema/album/contacts.ts';
import { allowedSenders } from '../../../platform/db/schema/transfers/inbound-emails.ts';
import { memories } from '../../../platform/db/schema/album/memories.ts';
import { passkeys } from '../../../platform/db/schema/accounts/passkeys.ts';
import { pets } from '../../../platform/db/schema/album/pets.ts';
import { oidcIdentities } from '../../../platform/db/schema/accounts/oidc.ts';
import { phoneCodes } from '../../../platform/db/schema/accounts/phone-codes.ts';
import { recoveryCodes, totpKeys } from '../../../platform/db/schema/accounts/second-factors.ts';
import { shares } from '../../../platform/db/schema/album/shares.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import { endPendingEmailChanges } from './email-change-queries.ts';
import { isActiveUser, type UserRow } from '../users/user-queries.ts';

/** Waits for transactions that add rows of this user. */
export async function lockUnverifiedUser(tx: Tx, id: string): Promise<UserRow | null> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.emailVerifiedAt)))
    .for('update');
  return row ?? null;
}

export async function countAlbum(db: Db, ownerId: string): Promise<{ photoCount: number; petCount: number }> {
  return {
    photoCount: await db.$count(memories, eq(memories.ownerId, ownerId)),
    petCount: await db.$count(pets, eq(pets.ownerId, ownerId)),
  };
}

/** Deletes all that lets others sign in, see the album or add to it, and the names that they chose. Unsubscriptions stay: they are the recipients' wish. */
export async function deleteSetup(tx: Tx, ownerId: string, now: Date): Promise<void> {
  await tx.delete(contacts).where(eq(contacts.ownerId, ownerId));
  await tx
    .delete(suppressionEntries)
    .where(and(eq(suppressionEntries.ownerId, ownerId), isNull(suppressionEntries.unsubscribedAt)));
  await tx.delete(allowedSenders).where(eq(allowedSenders.ownerId, ownerId));
  await tx.delete(oidcIdentities).where(eq(oidcIdentities.ownerId, ownerId));
  await tx.delete(totpKeys).where(eq(totpKeys.ownerId, ownerId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.ownerId, ownerId));
  await tx.delete(passkeys).where(eq(passkeys.ownerId, ownerId));
  await endPendingEmailChanges(tx, ownerId, now);
  await tx.delete(phoneCodes).where(eq(phoneCodes.ownerId, ownerId));
  await tx
    .update(shares)
    .set({ revokedAt: now })
    .where(and(eq(shares.ownerId, ownerId), isNull(shares.revokedAt)));
  await tx
    .update(users)
    .set({
      username: sql`'album-' || left(replace(gen_random_uuid()::text, '-', ''), 12)`,
      firstName: null,
      lastName: null,
      phoneNumber: null,
      phoneVerifiedAt: null,
      caricatureConsentAt: null,
      inboundToken: sql`default`,
    })
    .where(eq(users.id, ownerId));
}

/**
 * Administrators stay: `npm run admin` may have named them. So do the people they invited, and disabled accounts: deleted,
 * they could register again. Asleep ones have their own day.
 */
const isPurgeable = and(
  isNull(users.emailVerifiedAt),
  eq(users.isAdmin, false),
  eq(users.isInvited, false),
  isActiveUser,
);

export async function listUsersToWarn(db: Db, dueBefore: Date): Promise<{ id: string }[]> {
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(isPurgeable, lte(users.verifyEmailBy, dueBefore), isNull(users.deletionWarnedAt)));
}

/** Only those who were warned before `warnedBefore`. */
export async function lockUserToPurge(
  tx: Tx,
  { now, warnedBefore }: { now: Date; warnedBefore: Date },
): Promise<{ id: string } | null> {
  const [row] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isPurgeable, lte(users.verifyEmailBy, now), lte(users.deletionWarnedAt, warnedBefore)))
    .limit(1)
    .for('update');
  return row ?? null;
}
