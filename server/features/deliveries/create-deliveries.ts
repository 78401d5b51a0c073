import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { groupDeliveriesJobDefinition } from '../job-catalogue.ts';
import { insertDeliveries, isOwed, lockActiveContacts } from './delivery-queries.ts';

type Context = Pick<AppContext, 'config' | 'jobs'>;

/** A new memory is owed to each active contact; in its own transaction, so that none is forgotten. */
export async function createDeliveries(
  context: Context,
  tx: Tx,
  memory: { id: string; ownerId: string; createdAt: Date },
): Promise<void> {
  const contactIds = await lockActiveContacts(tx, memory.ownerId);
  if (contactIds.length === 0) return;
  await insertDeliveries(tx, memory, contactIds);
  await enqueueGrouping(context, tx, memory.ownerId);
}

/** A memory that came back out of the trash is owed again to whoever did not get it before. */
export async function reviveDeliveries(
  context: Context,
  tx: Tx,
  memory: { id: string; ownerId: string },
): Promise<void> {
  if (await isOwed(tx, memory.id)) await enqueueGrouping(context, tx, memory.ownerId);
}

/** What comes within the time that a group stays open goes out together with the first. */
export function enqueueGrouping({ config, jobs }: Context, tx: Tx, ownerId: string): Promise<void> {
  const delaySeconds = config.email.groupingSeconds;
  return jobs.enqueue(tx, groupDeliveriesJobDefinition, { ownerId }, { delaySeconds });
}
