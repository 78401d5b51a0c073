import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hasPendingDelivery, insertDeliveries, lockDeliverableContacts } from './delivery-queries.ts';
import { groupDeliveriesJob } from './group-deliveries-job.ts';

type Context = Pick<AppContext, 'config' | 'jobs'>;

/** Creates a delivery of a new memory for each active contact, in the memory's transaction, so that none is missed. */
export async function createDeliveries(
  context: Context,
  tx: Tx,
  memory: { id: string; ownerId: string; createdAt: Date },
): Promise<void> {
  const contactIds = await lockDeliverableContacts(tx, memory.ownerId);
  if (contactIds.length === 0) return;
  await insertDeliveries(tx, memory, contactIds);
  await enqueueGroupDeliveries(context, tx, memory.ownerId);
}

/** After a restore: the contacts who have not received the memory get it. */
export async function resumeDeliveries(
  context: Context,
  tx: Tx,
  memory: { id: string; ownerId: string },
): Promise<void> {
  if (await hasPendingDelivery(tx, memory.id)) await enqueueGroupDeliveries(context, tx, memory.ownerId);
}

/** Delayed, so that photos added within `MAIL_GROUPING_SECONDS` of the first share its email. */
export function enqueueGroupDeliveries({ config, jobs }: Context, tx: Tx, ownerId: string): Promise<void> {
  const delaySeconds = config.email.groupingSeconds;
  return jobs.enqueue(tx, groupDeliveriesJob, { ownerId }, { delaySeconds });
}
