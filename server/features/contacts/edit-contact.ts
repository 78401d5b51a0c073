import type * as z from 'zod/mini';
import type { UpdateContactRequest } from '#shared/contact';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueGrouping } from '../deliveries/create-deliveries.ts';
import { cancelWaitingMails } from '../deliveries/email-queries.ts';
import { ConflictError } from '../../platform/errors.ts';
import { deleteContactLinks } from '../shares/share-queries.ts';
import { lockUser } from '../users/user-queries.ts';
import { getContact, getContactToChange, updateContactRow, type ContactRow } from './contact-queries.ts';
import { emailTakenError } from './email-taken-error.ts';
import { claimRecipient, isSameAddress } from './suppression-list-queries.ts';
import { clearMutedPets } from './subscription-queries.ts';
import { welcomeOnce } from './welcome-once.ts';

type Context = Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock' | 'rateLimits'>;
type Changes = z.output<typeof UpdateContactRequest>;

/**
 * Switched on, one whose mail was refused is tried again. Another address counts as a new contact of the day, since it
 * may get a welcome mail.
 * @throws ConflictError for switching on who has unsubscribed, or an address that is a contact already;
 * TooManyRequestsError; NotFoundError when it is not there or not this owner's
 */
export async function editContact(
  context: Context,
  ownerId: string,
  id: string,
  changes: Changes,
): Promise<ContactRow> {
  const { contactPerUser } = context.rateLimits;
  const before = await getContact(context.db, ownerId, id);
  const edit = () => context.db.transaction((tx) => applyChanges(context, tx, before, changes));
  if (changes.email === undefined || isSameAddress(changes.email, before.email)) return edit();
  await contactPerUser.consume(ownerId);
  try {
    return await edit();
  } catch (error) {
    await contactPerUser.giveBack(ownerId);
    throw emailTakenError(error);
  }
}

async function applyChanges(
  context: Context,
  tx: Tx,
  { ownerId, id }: ContactRow,
  { email, isActive, ...changes }: Changes,
): Promise<ContactRow> {
  if (email !== undefined) {
    // Two contacts that exchange their addresses at the same moment would wait for each other.
    await lockUser(tx, ownerId);
    // Emails before the contact: see docs/lock-order.md.
    await changeAddress(context, tx, ownerId, id, email);
  }
  const contact = await getContactToChange(tx, ownerId, id);
  if (isActive && contact.unsubscribedAt) {
    throw new ConflictError(`${contact.name} has unsubscribed. Only they can change that.`);
  }
  const row = { ...changes, email, isActive, undeliverableAt: isActive ? null : undefined };
  if (Object.values(row).some((value) => value !== undefined)) await updateContactRow(tx, ownerId, id, row);
  const changed = await getContact(tx, ownerId, id);
  if (email !== undefined || isActive) await welcomeOnce(context, tx, changed);
  return changed;
}

/**
 * Another address starts as a new contact does: nothing that its predecessor's owner chose, and none of the links
 * that they were sent, hold for it. What was not sent yet goes there.
 */
async function changeAddress(
  context: Context,
  tx: Tx,
  ownerId: string,
  id: string,
  email: string,
): Promise<void> {
  const recipient = await claimRecipient(tx, ownerId, email, context.clock.now());
  const { recipientId } = await getContact(tx, ownerId, id);
  if (recipient.id === recipientId) return;
  await cancelWaitingMails(tx, id);
  await updateContactRow(tx, ownerId, id, {
    recipientId: recipient.id,
    email,
    undeliverableAt: null,
    frequency: 'every',
  });
  await clearMutedPets(tx, id);
  await deleteContactLinks(tx, id);
  await enqueueGrouping(context, tx, ownerId);
}
