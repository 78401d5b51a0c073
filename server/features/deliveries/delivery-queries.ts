import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { contacts, mutedPets, suppressionEntries } from '../../platform/db/schema/album/contacts.ts';
import { deliveries } from '../../platform/db/schema/album/deliveries.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';

export type PendingDelivery = {
  id: string;
  contactId: string;
  memoryId: string;
  createdAt: Date;
  frequency: 'every' | 'weekly';
  /** The contact is active, subscribed and reachable, and has not muted this pet. */
  isWanted: boolean;
};

const isReachable = and(
  eq(contacts.isActive, true),
  isNull(contacts.undeliverableAt),
  isNull(suppressionEntries.unsubscribedAt),
);

/** The contacts who get this owner's new photos, locked against deletion until the transaction ends. */
export async function lockDeliverableContacts(tx: Tx, ownerId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .innerJoin(suppressionEntries, eq(suppressionEntries.id, contacts.suppressionEntryId))
    .where(and(eq(contacts.ownerId, ownerId), isReachable))
    .for('key share', { of: contacts });
  return rows.map(({ id }) => id);
}

/** Does nothing when the contact's address has changed since: the old one was rejected. */
export async function markUndeliverable(
  tx: Tx,
  id: string,
  suppressionEntryId: string,
  now: Date,
): Promise<void> {
  const isSameAddress = and(eq(contacts.id, id), eq(contacts.suppressionEntryId, suppressionEntryId));
  await tx.update(contacts).set({ undeliverableAt: now }).where(isSameAddress);
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

/** Of memories that are not in the trash, oldest memory first. */
export function listPendingDeliveries(tx: Tx, ownerId: string): Promise<PendingDelivery[]> {
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
    .innerJoin(suppressionEntries, eq(suppressionEntries.id, contacts.suppressionEntryId))
    .innerJoin(memories, eq(memories.id, deliveries.memoryId))
    .where(and(eq(deliveries.ownerId, ownerId), isNull(deliveries.emailId), isNull(memories.deletedAt)))
    .orderBy(asc(memories.createdAt), asc(memories.id));
}

export async function addToEmail(tx: Tx, deliveryIds: string[], emailId: string): Promise<void> {
  await tx.update(deliveries).set({ emailId }).where(inArray(deliveries.id, deliveryIds));
}

export async function deleteDeliveries(tx: Tx, deliveryIds: string[]): Promise<void> {
  if (deliveryIds.length > 0) await tx.delete(deliveries).where(inArray(deliveries.id, deliveryIds));
}

/** Their deliveries become pending again: if the memory is restored, another email delivers it. */
export async function removeTrashedMemories(tx: Tx, emailId: string): Promise<void> {
  const deleted = tx.select({ id: memories.id }).from(memories).where(isNotNull(memories.deletedAt));
  await tx
    .update(deliveries)
    .set({ emailId: null })
    .where(and(eq(deliveries.emailId, emailId), inArray(deliveries.memoryId, deleted)));
}

export async function hasPendingDeliveries(tx: Tx, memoryIds: string[]): Promise<boolean> {
  const rows = await tx
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(inArray(deliveries.memoryId, memoryIds), isNull(deliveries.emailId)))
    .limit(1);
  return rows.length > 0;
}

/** Owners with a pending delivery created before the given time, by the contact's frequency. */
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
    .where(and(isNull(deliveries.emailId), isNull(memories.deletedAt), or(...isOverdue)));
  return rows.map(({ ownerId }) => ownerId);
}
