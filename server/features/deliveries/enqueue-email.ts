import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sendMailsJobDefinition } from '../job-catalogue.ts';
import { insertMail, type NewMail } from './email-queries.ts';

/** A mail that goes out as soon as it may. */
export async function enqueueMail({ jobs }: Pick<AppContext, 'jobs'>, tx: Tx, mail: NewMail): Promise<void> {
  await insertMail(tx, mail);
  await jobs.enqueue(tx, sendMailsJobDefinition, {});
}

/** 'X added you', to a new contact. */
export function enqueueWelcome(
  context: Pick<AppContext, 'jobs' | 'clock'>,
  tx: Tx,
  contact: { id: string; ownerId: string },
): Promise<void> {
  const mail = { ownerId: contact.ownerId, contactId: contact.id, createdAt: context.clock.now() };
  return enqueueMail(context, tx, { ...mail, kind: 'welcome' });
}
