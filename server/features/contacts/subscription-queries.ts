import { and, eq, inArray } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { contacts, mutedPets, recipients } from '../../platform/db/schema/contacts.ts';
import { pets } from '../../platform/db/schema/pets.ts';
import { users } from '../../platform/db/schema/users.ts';
import type { UserRow } from '../users/user-queries.ts';

/** What someone gets from one owner, as they see it themselves. */
export type Subscription = {
  recipientId: string;
  owner: UserRow;
  unsubscribedAt: Date | null;
  /** Null once the owner has removed them. */
  contact: typeof contacts.$inferSelect | null;
};

/** Null when no such token was ever given out. */
export async function findSubscription(db: Db | Tx, token: string): Promise<Subscription | null> {
  const [row] = await db
    .select({ recipient: recipients, owner: users, contact: contacts })
    .from(recipients)
    .innerJoin(users, eq(users.id, recipients.ownerId))
    .leftJoin(contacts, eq(contacts.recipientId, recipients.id))
    .where(eq(recipients.token, token));
  if (!row) return null;
  const { recipient, owner, contact } = row;
  return { recipientId: recipient.id, owner, unsubscribedAt: recipient.unsubscribedAt, contact };
}

/** One at a time; a mail that is just being sent is not waited for. */
export async function lockRecipient(tx: Tx, id: string): Promise<void> {
  await tx.select({ id: recipients.id }).from(recipients).where(eq(recipients.id, id)).for('update');
}

export async function setUnsubscribed(
  tx: Tx,
  recipientId: string,
  unsubscribedAt: Date | null,
): Promise<void> {
  await tx.update(recipients).set({ unsubscribedAt }).where(eq(recipients.id, recipientId));
}

/**
 * The owner's switch stays as it is. False when the owner has removed the contact or changed its address; otherwise
 * the contact is locked until the transaction ends.
 */
export async function updateFrequency(
  tx: Tx,
  recipientId: string,
  frequency: (typeof contacts.$inferSelect)['frequency'],
): Promise<boolean> {
  const updated = await tx
    .update(contacts)
    .set({ frequency })
    .where(eq(contacts.recipientId, recipientId))
    .returning({ id: contacts.id });
  return updated.length > 0;
}

export type PetChoice = { id: string; name: string; isMuted: boolean };

/** The owner's pets, by name, and whether this contact wants their photos. */
export async function listPetChoices(db: Db | Tx, ownerId: string, contactId: string): Promise<PetChoice[]> {
  const muted = await db.select().from(mutedPets).where(eq(mutedPets.contactId, contactId));
  const rows = await db
    .select({ id: pets.id, name: pets.name })
    .from(pets)
    .where(eq(pets.ownerId, ownerId))
    .orderBy(pets.name, pets.id);
  return rows.map((pet) => ({ ...pet, isMuted: muted.some(({ petId }) => petId === pet.id) }));
}

/** Every pet's photos are wanted. */
export async function clearMutedPets(tx: Tx, contactId: string): Promise<void> {
  await tx.delete(mutedPets).where(eq(mutedPets.contactId, contactId));
}

/** Of the pets that were offered; others stay as they are. */
export async function setMutedPets(
  tx: Tx,
  { ownerId, contactId }: { ownerId: string; contactId: string },
  muted: Set<string>,
  offered: Set<string>,
): Promise<void> {
  const own = await listPetChoices(tx, ownerId, contactId);
  const ids = own.filter(({ id }) => offered.has(id)).map(({ id }) => id);
  if (ids.length === 0) return;
  for (const petId of ids) {
    if (muted.has(petId)) await tx.insert(mutedPets).values({ contactId, petId }).onConflictDoNothing();
  }
  const wanted = ids.filter((id) => !muted.has(id));
  const isOfContact = eq(mutedPets.contactId, contactId);
  if (wanted.length > 0) await tx.delete(mutedPets).where(and(isOfContact, inArray(mutedPets.petId, wanted)));
}
