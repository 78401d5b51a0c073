import type { AppContext } from '../../platform/context.ts';
import { lockWaitingMails } from '../deliveries/email-queries.ts';
import { deleteContactRow } from './contact-queries.ts';

/** Its mails and links are deleted with it. @throws NotFoundError when it is not there or not this owner's */
export function deleteContact({ db }: Pick<AppContext, 'db'>, ownerId: string, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    // Emails before the contact: see docs/lock-order.md.
    await lockWaitingMails(tx, ownerId, id);
    await deleteContactRow(tx, ownerId, id);
  });
}
