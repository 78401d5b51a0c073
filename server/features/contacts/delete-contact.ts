import type { AppContext } from '../../platform/context.ts';
import { lockPendingEmails } from '../deliveries/email-queries.ts';
import { deleteContactRow } from './contact-queries.ts';

export function deleteContact({ db }: Pick<AppContext, 'db'>, ownerId: string, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    // Lock order: emails before the contact, as in `leaseDueEmail`. The reverse could deadlock.
    await lockPendingEmails(tx, ownerId, id);
    await deleteContactRow(tx, ownerId, id);
  });
}
