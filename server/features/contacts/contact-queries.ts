import { and, desc, eq, getTableColumns } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isOlder, ownedBy } from '../../platform/db/conditions.ts';
import { contacts, suppressionEntries } from '../../platform/db/schema/album/contacts.ts';
import { NotFoundError } from '../../platform/errors.ts';
import type { CreatedAtCursor, PageRange } from '../../platform/pagination.ts';

export type ContactRow = typeof contacts.$inferSelect & {
  unsubscribedAt: Date | null;
  welcomedAt: Date | null;
};
export type NewContact = Omit<typeof contacts.$inferInsert, 'id'> & { id?: string };
type ContactChanges = {
  [Name in keyof Omit<NewContact, 'id' | 'ownerId' | 'createdAt'>]?: NewContact[Name] | undefined;
};

const contactColumns = {
  ...getTableColumns(contacts),
  unsubscribedAt: suppressionEntries.unsubscribedAt,
  welcomedAt: suppressionEntries.welcomedAt,
};

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

export async function getContact(db: Db | Tx, ownerId: string, id: string): Promise<ContactRow> {
  const [row] = await selectContacts(db).where(ownedBy(contacts, ownerId, id));
  if (!row) throw new NotFoundError('This contact was not found.');
  return row;
}

/** Serializes edits of one contact. Does not wait for the transaction that leases an email to it. */
export async function lockContact(tx: Tx, ownerId: string, id: string): Promise<ContactRow> {
  await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(ownedBy(contacts, ownerId, id))
    .for('no key update');
  return getContact(tx, ownerId, id);
}

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
    .innerJoin(suppressionEntries, eq(suppressionEntries.id, contacts.suppressionEntryId));
}
