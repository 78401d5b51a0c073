import type { AppContext } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { enqueueWelcome } from '../deliveries/enqueue-mail.ts';
import type { ContactRow } from './contact-queries.ts';
import { markWelcomed } from './recipient-queries.ts';

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
