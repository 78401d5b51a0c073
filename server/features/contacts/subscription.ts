import type { AppContext } from '../../platform/context.ts';
import { enqueueGroupDeliveries } from '../deliveries/create-deliveries.ts';
import {
  findSubscription,
  lockSuppressionEntry,
  setMutedPets,
  setUnsubscribed,
  updateFrequency,
  type Subscription,
} from './subscription-queries.ts';

export type Preferences = {
  frequency: 'every' | 'weekly' | 'none';
  mutedPets: Set<string>;
  offeredPets: Set<string>;
};

/** Idempotent. Still applies after the owner has removed the contact and added it again. Null for an unknown token. */
export function unsubscribe(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  token: string,
): Promise<Subscription | null> {
  return db.transaction(async (tx) => {
    const subscription = await findSubscription(tx, token);
    if (!subscription) return null;
    await lockSuppressionEntry(tx, subscription.suppressionEntryId);
    await setUnsubscribed(tx, subscription.suppressionEntryId, subscription.unsubscribedAt ?? clock.now());
    return subscription;
  });
}

/** Also resubscribes, which the owner cannot do. Null for an unknown token. */
export function savePreferences(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>,
  token: string,
  { frequency, mutedPets, offeredPets }: Preferences,
): Promise<Subscription | null> {
  if (frequency === 'none') return unsubscribe(context, token);
  return context.db.transaction(async (tx) => {
    const subscription = await findSubscription(tx, token);
    if (!subscription?.contact) return subscription;
    const { suppressionEntryId, contact } = subscription;
    await lockSuppressionEntry(tx, suppressionEntryId);
    await setUnsubscribed(tx, suppressionEntryId, null);
    if (!(await updateFrequency(tx, suppressionEntryId, frequency)))
      return { ...subscription, contact: null };
    await setMutedPets(tx, { ownerId: contact.ownerId, contactId: contact.id }, mutedPets, offeredPets);
    // Deliveries that waited for the digest are due now.
    if (frequency === 'every') await enqueueGroupDeliveries(context, tx, contact.ownerId);
    return subscription;
  });
}
