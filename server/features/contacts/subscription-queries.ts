import { and, eq, inArray } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { users } from '../../platform/db/schema/accounts/users.ts';
import { contacts, mutedPets, suppressionEntries } from '../../platform/db/schema/album/contacts.ts';
import { pets } from '../../platform/db/schema/album/pets.ts';
import type { UserRow } from '../accounts/users/user-queries.ts';

export type Subscription = {
  suppressionEntryId: string;
  owner: UserRow;
  unsubscribedAt: Date | null;
  /** Null when the owner has removed the contact. */
  contact: typeof contacts.$inferSelect | null;
};

/** Null for an unknown token. */
export async function findSubscription(db: Db | Tx, token: string): Promise<Subscription | null> {
  const [row] = await db
    .select({ suppression: suppressionEntries, owner: users, contact: contacts })
    .from(suppressionEntries)
    .innerJoin(users, eq(users.id, suppressionEntries.ownerId))
    .leftJoin(contacts, eq(contacts.suppressionEntryId, suppressionEntries.id))
    .where(eq(suppressionEntries.token, token));
  if (!row) return null;
  const { suppression, owner, contact } = row;
  return { suppressionEntryId: suppression.id, owner, unsubscribedAt: suppression.unsubscribedAt, contact };
}

export async function lockSuppressionEntry(tx: Tx, id: string): Promise<void> {
  await tx
    .select({ id: suppressionEntries.id })
    .from(suppressionEntries)
    .where(eq(suppressionEntries.id, id))
    .for('update');
}

export async function setUnsubscribed(
  tx: Tx,
  suppressionEntryId: string,
  unsubscribedAt: Date | null,
): Promise<void> {
  await tx
    .update(suppressionEntries)
    .set({ unsubscribedAt })
    .where(eq(suppressionEntries.id, suppressionEntryId));
}

/** False when the owner has removed the contact or changed its address. Otherwise locks the contact. */
export async function updateFrequency(
  tx: Tx,
  suppressionEntryId: string,
  frequency: (typeof contacts.$inferSelect)['frequency'],
): Promise<boolean> {
  const updated = await tx
    .update(contacts)
    .set({ frequency })
    .where(eq(contacts.suppressionEntryId, suppressionEntryId))
    .returning({ id: contacts.id });
  return updated.length > 0;
}

export type PetChoice = { id: string; name: string; isMuted: boolean };

export async function listPetChoices(db: Db | Tx, ownerId: string, contactId: string): Promise<PetChoice[]> {
  const muted = await db.select().from(mutedPets).where(eq(mutedPets.contactId, contactId));
  const rows = await db
    .select({ id: pets.id, name: pets.name })
    .from(pets)
    .where(eq(pets.ownerId, ownerId))
    .orderBy(pets.name, pets.id);
  return rows.map((pet) => ({ ...pet, isMuted: muted.some(({ petId }) => petId === pet.id) }));
}

export async function clearMutedPets(tx: Tx, contactId: string): Promise<void> {
  await tx.delete(mutedPets).where(eq(mutedPets.contactId, contactId));
}

/** Changes only the offered pets: others may have been added since the form was rendered. */
export async function setMutedPets(
  tx: Tx,
  { ownerId, contactId }: { ownerId: string; contactId: string },
  muted: Set<string>,
  offered: Set<string>,
): Promise<void> {
  const all = await listPetChoices(tx, ownerId, contactId);
  const ids = all.filter(({ id }) => offered.has(id)).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const petId of ids) {
    if (muted.has(petId)) await tx.insert(mutedPets).values({ contactId, petId }).onConflictDoNothing();
  }
  const wanted = ids.filter((id) => !muted.has(id));
  const isOfContact = eq(mutedPets.contactId, contactId);
  if (wanted.length > 0) await tx.delete(mutedPets).where(and(isOfContact, inArray(mutedPets.petId, wanted)));
}
