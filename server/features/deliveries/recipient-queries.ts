import { and, eq, getTableColumns } from 'drizzle-orm';
import type { Tx } from '../../platform/db/database.ts';
import { contacts, recipients } from '../../platform/db/schema/contacts.ts';
import { users } from '../../platform/db/schema/users.ts';
import type { UserRow } from '../users/user-queries.ts';

/** Who a mail goes to, and on whose behalf. */
export type Addressee = {
  name: string;
  email: string;
  recipientId: string;
  /** Of the pages by which they stop or change what they get. */
  token: string;
  /** Active, subscribed and reachable. */
  isWanted: boolean;
  owner: UserRow;
};

/** The contact of a mail that is waiting. */
export async function getAddressee(tx: Tx, ownerId: string, contactId: string): Promise<Addressee> {
  const [row] = await tx
    .select({
      contact: getTableColumns(contacts),
      recipient: getTableColumns(recipients),
      owner: getTableColumns(users),
    })
    .from(contacts)
    .innerJoin(recipients, eq(recipients.id, contacts.recipientId))
    .innerJoin(users, eq(users.id, contacts.ownerId))
    .where(and(eq(contacts.id, contactId), eq(contacts.ownerId, ownerId)));
  if (!row) throw new Error('The mail has no contact');
  const { contact, recipient, owner } = row;
  return {
    name: contact.name,
    email: contact.email,
    recipientId: recipient.id,
    token: recipient.token,
    isWanted: contact.isActive && contact.undeliverableAt === null && recipient.unsubscribedAt === null,
    owner,
  };
}
