import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueWelcome } from '../deliveries/enqueue-email.ts';
import type { ContactRow } from './contact-queries.ts';
import { markWelcomed } from './suppression-list-queries.ts';

/** Tells a contact that they were added, once for each address. */
export async function welcomeOnce(
  context: Pick<AppContext, 'jobs' | 'clock'>,
  tx: Tx,
  contact: ContactRow,
): Promise<void> {
  if (!contact.isActive || contact.unsubscribedAt) return;
  if (await markWelcomed(tx, contact.recipientId, context.clock.now()))
    await enqueueWelcome(context, tx, contact);
}
