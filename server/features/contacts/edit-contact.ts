import type * as z from 'zod/mini';
import type { UpdateContactRequest } from '#shared/album/contact';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ConflictError } from '../../platform/errors.ts';
import { lockUser } from '../accounts/users/user-queries.ts';
import { enqueueGroupDeliveries } from '../deliveries/create-deliveries.ts';
import { cancelPendingEmails } from '../deliveries/email-queries.ts';
import { deleteContactShares } from '../shares/share-queries.ts';
import { getContact, lockContact, updateContactRow, type ContactRow } from './contact-queries.ts';
import { toEmailTakenError, welcomeContact } from './create-contact.ts';
import { clearMutedPets } from './subscription-queries.ts';
import { claimSuppressionEntry, isSameAddress } from './suppression-list-queries.ts';

type Changes = z.output<typeof UpdateContactRequest>;

/**
 * Switching an undeliverable contact on retries its address. A new address counts toward the contact rate limit, and so does
 * switching on an imported contact, which sends its welcome email.
 */
export async function editContact(
  context: AppContext,
  ownerId: string,
  id: string,
  changes: Changes,
): Promise<ContactRow> {
  const { contactPerUser } = context.rateLimits;
  const before = await getContact(context.db, ownerId, id);
  const edit = () => context.db.transaction((tx) => applyChanges(context, tx, before, changes));
  const isNewAddress = changes.email !== undefined && !isSameAddress(changes.email, before.email);
  const isWelcomed = changes.isActive === true && !before.isActive && before.welcomedAt === null;
  if (!isNewAddress && !isWelcomed) return edit();
  await contactPerUser.consume(ownerId);
  try {
    return await edit();
  } catch (error) {
    await contactPerUser.giveBack(ownerId);
    throw toEmailTakenError(error);
  }
}

async function applyChanges(
  context: AppContext,
  tx: Tx,
  { ownerId, id }: ContactRow,
  { email, isActive, ...changes }: Changes,
): Promise<ContactRow> {
  if (email !== undefined) {
    // Two contacts that swap their addresses concurrently would deadlock.
    await lockUser(tx, ownerId);
    // Lock order: emails before the contact, as in `leaseDueEmail`.
    await changeAddress(context, tx, ownerId, id, email);
  }
  const contact = await lockContact(tx, ownerId, id);
  if (isActive && contact.unsubscribedAt) {
    throw new ConflictError(`${contact.name} has unsubscribed. Only they can change that.`);
  }
  const row = { ...changes, email, isActive, undeliverableAt: isActive ? null : undefined };
  if (Object.values(row).some((value) => value !== undefined)) await updateContactRow(tx, ownerId, id, row);
  const changed = await getContact(tx, ownerId, id);
  if (email !== undefined || isActive) await welcomeContact(context, tx, changed);
  return changed;
}

/** Treats a new address as a new contact: resets preferences, deletes shares. Pending deliveries go to it. */
async function changeAddress(
  context: AppContext,
  tx: Tx,
  ownerId: string,
  id: string,
  email: string,
): Promise<void> {
  const entry = await claimSuppressionEntry(tx, ownerId, email, context.clock.now());
  const { suppressionEntryId } = await getContact(tx, ownerId, id);
  if (entry.id === suppressionEntryId) return;
  await cancelPendingEmails(tx, id);
  await updateContactRow(tx, ownerId, id, {
    suppressionEntryId: entry.id,
    email,
    undeliverableAt: null,
    frequency: 'every',
  });
  await clearMutedPets(tx, id);
  await deleteContactShares(tx, id);
  await enqueueGroupDeliveries(context, tx, ownerId);
}
