import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isOlder, ownedBy } from '../../platform/db/conditions.ts';
import { contacts, recipients } from '../../platform/db/schema/contacts.ts';
import { NotFoundError } from '../../platform/errors.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';

/** A contact with what they said themselves. */
export type ContactRow = typeof contacts.$inferSelect & { unsubscribedAt: Date | null };
export type NewContact = Omit<typeof contacts.$inferInsert, 'id'>;
/** Undefined fields are unchanged. */
type ContactChanges = {
  [Name in keyof Omit<NewContact, 'ownerId' | 'createdAt'>]?: NewContact[Name] | undefined;
};

const contactColumns = { ...getTableColumns(contacts), unsubscribedAt: recipients.unsubscribedAt };

/** Newest first. */
export function listContacts(
  db: Db,
  ownerId: string,
  page: PageRange<CreatedAtCursor>,
): Promise<ContactRow[]> {
  return selectContacts(db)
    .where(and(eq(contacts.ownerId, ownerId), page.after ? isOlder(contacts, page.after) : undefined))
    .orderBy(desc(contacts.createdAt), desc(contacts.id))
    .limit(page.maxRows);
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function getContact(db: Db | Tx, ownerId: string, id: string): Promise<ContactRow> {
  const [row] = await selectContacts(db).where(ownedBy(contacts, ownerId, id));
  if (!row) throw new NotFoundError('This contact was not found.');
  return row;
}

/** The same, for who changes it: one at a time, and without waiting for a mail to it that is just being sent. */
export async function getContactToChange(tx: Tx, ownerId: string, id: string): Promise<ContactRow> {
  await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(ownedBy(contacts, ownerId, id))
    .for('no key update');
  return getContact(tx, ownerId, id);
}

/** @throws a unique violation of contacts_recipient_unique when the address is a contact already */
export async function insertContact(tx: Tx, contact: NewContact): Promise<typeof contacts.$inferSelect> {
  const [row] = await tx
    .insert(contacts)
    .values({ id: uuidv7(), ...contact })
    .returning();
  if (!row) throw new Error('The new contact was not returned');
  return row;
}

export async function updateContactRow(
  tx: Tx,
  ownerId: string,
  id: string,
  changes: ContactChanges,
): Promise<void> {
  await tx
    .update(contacts)
    .set(changes)
    .where(ownedBy(contacts, ownerId, id));
}

/** Nothing happens when the contact's address has changed since: the refusal was of the old one. */
export async function markUndeliverable(tx: Tx, id: string, recipientId: string, now: Date): Promise<void> {
  const isAddressee = and(eq(contacts.id, id), eq(contacts.recipientId, recipientId));
  await tx.update(contacts).set({ undeliverableAt: now }).where(isAddressee);
}

/** @throws NotFoundError when it is not there or not this owner's */
export async function deleteContactRow(tx: Tx, ownerId: string, id: string): Promise<void> {
  const deleted = await tx
    .delete(contacts)
    .where(ownedBy(contacts, ownerId, id))
    .returning({ id: contacts.id });
  if (deleted.length === 0) throw new NotFoundError('This contact was not found.');
}

function selectContacts(db: Db | Tx) {
  return db
    .select(contactColumns)
    .from(contacts)
    .innerJoin(recipients, eq(recipients.id, contacts.recipientId));
}
