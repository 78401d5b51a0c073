import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { contacts, mutedPets, recipients } from '../../platform/db/schema/contacts.ts';
import { deliveries } from '../../platform/db/schema/deliveries.ts';
import { memories } from '../../platform/db/schema/memories.ts';

/** A memory that a contact is owed, and is not part of a mail yet. */
export type OwedMemory = {
  id: string;
  contactId: string;
  memoryId: string;
  createdAt: Date;
  frequency: 'every' | 'weekly';
  /** Active, subscribed, reachable, and not without a wish for photos of this pet. */
  isWanted: boolean;
};

const isReachable = and(
  eq(contacts.isActive, true),
  isNull(contacts.undeliverableAt),
  isNull(recipients.unsubscribedAt),
);

/** Whoever gets this owner's new photos; they stay until the transaction ends. */
export async function lockActiveContacts(tx: Tx, ownerId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .innerJoin(recipients, eq(recipients.id, contacts.recipientId))
    .where(and(eq(contacts.ownerId, ownerId), isReachable))
    .for('key share', { of: contacts });
  return rows.map(({ id }) => id);
}

export async function insertDeliveries(
  tx: Tx,
  memory: { id: string; ownerId: string; createdAt: Date },
  contactIds: string[],
): Promise<void> {
  const { id: memoryId, ownerId, createdAt } = memory;
  if (contactIds.length === 0) return;
  await tx
    .insert(deliveries)
    .values(contactIds.map((contactId) => ({ id: uuidv7(), ownerId, memoryId, contactId, createdAt })));
}

/** What an owner's contacts are owed and is in no mail yet, oldest memory first; nothing of what is in the trash. */
export function listOwedMemories(tx: Tx, ownerId: string): Promise<OwedMemory[]> {
  const isMuted = sql`exists (select from ${mutedPets}
    where ${mutedPets.contactId} = ${contacts.id} and ${mutedPets.petId} = ${memories.petId})`;
  return tx
    .select({
      id: deliveries.id,
      contactId: deliveries.contactId,
      memoryId: deliveries.memoryId,
      createdAt: deliveries.createdAt,
      frequency: contacts.frequency,
      isWanted: sql<boolean>`${isReachable} and not ${isMuted}`,
    })
    .from(deliveries)
    .innerJoin(contacts, eq(contacts.id, deliveries.contactId))
    .innerJoin(recipients, eq(recipients.id, contacts.recipientId))
    .innerJoin(memories, eq(memories.id, deliveries.memoryId))
    .where(and(eq(deliveries.ownerId, ownerId), isNull(deliveries.mailId), isNull(memories.deletedAt)))
    .orderBy(asc(memories.createdAt), asc(memories.id));
}

export async function putIntoMail(tx: Tx, deliveryIds: string[], mailId: string): Promise<void> {
  await tx.update(deliveries).set({ mailId }).where(inArray(deliveries.id, deliveryIds));
}

export async function deleteDeliveries(tx: Tx, deliveryIds: string[]): Promise<void> {
  if (deliveryIds.length > 0) await tx.delete(deliveries).where(inArray(deliveries.id, deliveryIds));
}

/** Those of a mail whose memories lie in the trash leave it: should they come back, another mail takes them. */
export async function releaseDeleted(tx: Tx, mailId: string): Promise<void> {
  const deleted = tx.select({ id: memories.id }).from(memories).where(isNotNull(memories.deletedAt));
  await tx
    .update(deliveries)
    .set({ mailId: null })
    .where(and(eq(deliveries.mailId, mailId), inArray(deliveries.memoryId, deleted)));
}

/** Whether somebody is still owed this memory. */
export async function isOwed(tx: Tx, memoryId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.memoryId, memoryId), isNull(deliveries.mailId)))
    .limit(1);
  return rows.length > 0;
}

/** Owners of a photo in no mail yet that was owed before then, which depends on how often its contact wants mail. */
export async function listOwnersOfOverdueDeliveries(
  db: Db,
  before: Record<'every' | 'weekly', Date>,
): Promise<string[]> {
  const isOverdue = (['every', 'weekly'] as const).map((frequency) =>
    and(eq(contacts.frequency, frequency), lte(deliveries.createdAt, before[frequency])),
  );
  const rows = await db
    .selectDistinct({ ownerId: deliveries.ownerId })
    .from(deliveries)
    .innerJoin(contacts, eq(contacts.id, deliveries.contactId))
    .innerJoin(memories, eq(memories.id, deliveries.memoryId))
    .where(and(isNull(deliveries.mailId), isNull(memories.deletedAt), or(...isOverdue)));
  return rows.map(({ ownerId }) => ownerId);
}
