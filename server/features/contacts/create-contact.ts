import type * as z from 'zod/mini';
import type { CreateContactRequest } from '#shared/contact';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  withIdempotencyKey,
  findStoredResponse,
  type StoredResponse,
  type IdempotentRequest,
} from '../idempotency/with-idempotency-key.ts';
import { insertContact } from './contact-queries.ts';
import { presentContact } from './contact-presenter.ts';
import { emailTakenError } from './email-taken-error.ts';
import { claimRecipient } from './suppression-list-queries.ts';
import { welcomeOnce } from './welcome-once.ts';

type Context = Pick<AppContext, 'db' | 'jobs' | 'clock' | 'rateLimits'>;
type NewContact = z.output<typeof CreateContactRequest>;

/**
 * A new contact, who first gets a short email that they were added; for a repeated call the first one's answer.
 * Whoever has unsubscribed from this owner before gets nothing and is not switched on.
 * @throws ConflictError for an address that is a contact already, TooManyRequestsError, InvalidError for a key used otherwise
 */
export async function createContact(
  context: Context,
  ownerId: string,
  { contact, call }: { contact: NewContact; call: IdempotentRequest | null },
): Promise<StoredResponse> {
  const earlier = await findStoredResponse(context, call);
  if (earlier) return earlier;
  const { contactPerUser } = context.rateLimits;
  await contactPerUser.consume(ownerId);
  let isNew = false;
  try {
    return await context.db.transaction((tx) =>
      withIdempotencyKey(context, tx, call, async () => {
        const row = await addContact(context, tx, ownerId, contact);
        isNew = true;
        return { status: 201, body: presentContact(row) };
      }),
    );
  } catch (error) {
    isNew = false;
    throw emailTakenError(error);
  } finally {
    // Only contacts that came to be count.
    if (!isNew) await contactPerUser.giveBack(ownerId);
  }
}

async function addContact(context: Context, tx: Tx, ownerId: string, contact: NewContact) {
  const now = context.clock.now();
  const { id: recipientId, unsubscribedAt } = await claimRecipient(tx, ownerId, contact.email, now);
  const row = await insertContact(tx, {
    ownerId,
    recipientId,
    name: contact.name,
    email: contact.email,
    relationship: contact.relationship ?? null,
    createdAt: now,
  });
  const added = { ...row, unsubscribedAt };
  await welcomeOnce(context, tx, added);
  return added;
}
