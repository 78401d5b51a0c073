import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { hasPendingDeliveries, insertDeliveries, lockDeliverableContacts } from './delivery-queries.ts';
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

/** After a restore: the contacts who have not received the memories get them. */
export async function resumeDeliveries(
  context: Context,
  tx: Tx,
  ownerId: string,
  memoryIds: string[],
): Promise<void> {
  if (await hasPendingDeliveries(tx, memoryIds)) await enqueueGroupDeliveries(context, tx, ownerId);
}

/** Delayed, so that photos added within `MAIL_GROUPING_SECONDS` of the first share its email. */
export function enqueueGroupDeliveries({ config, jobs }: Context, tx: Tx, ownerId: string): Promise<void> {
  const delaySeconds = config.email.groupingSeconds;
  return jobs.enqueue(tx, groupDeliveriesJob, { ownerId }, { delaySeconds });
}
