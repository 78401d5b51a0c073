import type * as z from 'zod/mini';
import type { CreateContactRequest } from '#shared/album/contact';
import type { AppContext } from '../../platform/context.ts';
import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ConflictError } from '../../platform/errors.ts';
import { insertEmail } from '../deliveries/email-queries.ts';
import { sendEmailsJob } from '../deliveries/send-emails-job.ts';
import {
  findCreated,
  withIdempotencyKey,
  type IdempotentRequest,
} from '../idempotency/with-idempotency-key.ts';
import { getContact, insertContact, type ContactRow } from './contact-queries.ts';
import { claimSuppressionEntry, markWelcomed } from './suppression-list-queries.ts';

const EMAIL_TAKEN = 'You already have a contact with this email';

type Context = Pick<AppContext, 'db' | 'jobs' | 'clock' | 'rateLimits'>;
type NewContact = z.output<typeof CreateContactRequest>;

/** Enqueues a welcome email, unless the address has unsubscribed from this owner. @throws ConflictError for a taken address */
export async function createContact(
  context: Context,
  ownerId: string,
  { contact, idempotentRequest }: { contact: NewContact; idempotentRequest: IdempotentRequest | null },
): Promise<ContactRow> {
  const find = (db: Db | Tx, id: string) => getContact(db, ownerId, id);
  const created = await findCreated(context, idempotentRequest, find);
  if (created) return created;
  const { contactPerUser } = context.rateLimits;
  await contactPerUser.consume(ownerId);
  let isCreated = false;
  try {
    return await context.db.transaction((tx) =>
      withIdempotencyKey(context, tx, idempotentRequest, {
        find,
        async create() {
          const row = await addContact(context, tx, ownerId, contact);
          isCreated = true;
          return row;
        },
      }),
    );
  } catch (error) {
    isCreated = false;
    throw toEmailTakenError(error);
  } finally {
    // Failures and repeated requests do not count.
    if (!isCreated) await contactPerUser.giveBack(ownerId);
  }
}

async function addContact(
  context: Context,
  tx: Tx,
  ownerId: string,
  { name, email, relationship = null }: NewContact,
): Promise<ContactRow> {
  const createdAt = context.clock.now();
  const { id, unsubscribedAt, welcomedAt } = await claimSuppressionEntry(tx, ownerId, email, createdAt);
  const row = await insertContact(tx, {
    ownerId,
    suppressionEntryId: id,
    name,
    email,
    relationship,
    createdAt,
  });
  const contact = { ...row, unsubscribedAt, welcomedAt };
  await welcomeContact(context, tx, contact);
  return contact;
}

export async function welcomeContact(
  { jobs, clock }: Pick<AppContext, 'jobs' | 'clock'>,
  tx: Tx,
  { id: contactId, ownerId, suppressionEntryId, isActive, unsubscribedAt }: ContactRow,
): Promise<void> {
  if (!isActive || unsubscribedAt) return;
  const createdAt = clock.now();
  if (!(await markWelcomed(tx, suppressionEntryId, createdAt))) return;
  await insertEmail(tx, { ownerId, contactId, kind: 'welcome', createdAt });
  await jobs.enqueue(tx, sendEmailsJob, {});
}

export function toEmailTakenError(error: unknown): unknown {
  if (violatedUniqueConstraint(error) !== 'contacts_suppression_entry_unique') return error;
  return new ConflictError(EMAIL_TAKEN, { email: EMAIL_TAKEN });
}
