import type { UpdateContactRequest } from '#shared/contact';
import type { AppContext } from '../context.ts';
import { ConflictError } from '../errors.ts';
import { getContact, getContactToChange, updateContactRow, type ContactRow } from './contact-queries.ts';

/**
 * Lets a contact get new photos, or not. Switched on, one whose mail was refused is tried again.
 * @throws ConflictError for switching on who has unsubscribed, NotFoundError when it is not there or not this owner's
 */
export function editContact(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  id: string,
  { isActive }: UpdateContactRequest,
): Promise<ContactRow> {
  return db.transaction(async (tx) => {
    const contact = await getContactToChange(tx, ownerId, id);
    if (isActive === undefined) return contact;
    if (isActive && contact.unsubscribedAt) {
      throw new ConflictError(`${contact.name} has unsubscribed. Only they can change that.`);
    }
    await updateContactRow(tx, ownerId, id, { isActive, ...(isActive && { undeliverableAt: null }) });
    return getContact(tx, ownerId, id);
  });
}
