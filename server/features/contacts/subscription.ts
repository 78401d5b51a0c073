import type { AppContext } from '../../platform/context.ts';
import { enqueueGrouping } from '../deliveries/create-deliveries.ts';
import {
  findSubscription,
  lockRecipient,
  setMutedPets,
  setUnsubscribed,
  updateFrequency,
  type Subscription,
} from './subscription-queries.ts';

/** What someone may choose to get. */
export type Wish = {
  frequency: 'every' | 'weekly' | 'none';
  mutedPets: Set<string>;
  offeredPets: Set<string>;
};

/**
 * From now on this owner sends them nothing, also after they are removed and added again. Said twice it is no error.
 * Null when no such token was ever given out.
 */
export function unsubscribe(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  token: string,
): Promise<Subscription | null> {
  return db.transaction(async (tx) => {
    const subscription = await findSubscription(tx, token);
    if (!subscription) return null;
    await lockRecipient(tx, subscription.recipientId);
    await setUnsubscribed(tx, subscription.recipientId, subscription.unsubscribedAt ?? clock.now());
    return subscription;
  });
}

/** They alone can take back that they have unsubscribed. Null when no such token was ever given out. */
export function choose(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>,
  token: string,
  { frequency, mutedPets, offeredPets }: Wish,
): Promise<Subscription | null> {
  if (frequency === 'none') return unsubscribe(context, token);
  return context.db.transaction(async (tx) => {
    const subscription = await findSubscription(tx, token);
    if (!subscription?.contact) return subscription;
    const { recipientId, contact } = subscription;
    await lockRecipient(tx, recipientId);
    await setUnsubscribed(tx, recipientId, null);
    if (!(await updateFrequency(tx, recipientId, frequency))) return { ...subscription, contact: null };
    await setMutedPets(tx, { ownerId: contact.ownerId, contactId: contact.id }, mutedPets, offeredPets);
    // What waited for a digest need not any more.
    if (frequency === 'every') await enqueueGrouping(context, tx, contact.ownerId);
    return subscription;
  });
}
