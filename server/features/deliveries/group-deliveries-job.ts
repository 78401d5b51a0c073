import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { lockUser } from '../accounts/users/user-queries.ts';
import {
  addToEmail,
  deleteDeliveries,
  listPendingDeliveries,
  type PendingDelivery,
} from './delivery-queries.ts';
import { insertEmail, reserveEmailId } from './email-queries.ts';
import { sendEmailsJob } from './send-emails-job.ts';

/** Keeps an email small enough; the other photos follow in further emails. */
const MAX_PHOTOS_PER_EMAIL = 24;
export const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Groups one owner's pending deliveries into emails. A weekly digest is due when its oldest delivery is a week old. */
export const groupDeliveriesJob = defineJob({
  name: 'group-deliveries',
  payload: z.object({ ownerId: z.string() }),
  retries: 14,
  expireInSeconds: 60,
  handle: (context, { ownerId }) =>
    context.db.transaction(async (tx) => {
      // Two concurrent jobs would put the same photo into two emails.
      await lockUser(tx, ownerId);
      const pending = await listPendingDeliveries(tx, ownerId);
      await deleteDeliveries(
        tx,
        pending.filter(({ isWanted }) => !isWanted).map(({ id }) => id),
      );
      const groups = groupByEmail(context, pending);
      for (const group of groups) await createEmail(tx, ownerId, group, context.clock.now());
      if (groups.length > 0) await context.jobs.enqueue(tx, sendEmailsJob, {});
    }),
});

type Group = [PendingDelivery, ...PendingDelivery[]];

function groupByEmail(
  { config, clock }: Pick<AppContext, 'config' | 'clock'>,
  pending: PendingDelivery[],
): Group[] {
  const byContact = new Map<string, PendingDelivery[]>();
  for (const delivery of pending.filter(({ isWanted }) => isWanted)) {
    byContact.set(delivery.contactId, [...(byContact.get(delivery.contactId) ?? []), delivery]);
  }
  return [...byContact.values()].flatMap((deliveries) => {
    const isDigest = deliveries[0]?.frequency === 'weekly';
    const oldest = Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime()));
    if (isDigest && oldest > clock.now().getTime() - WEEK_MS) return [];
    return chunk(deliveries, !isDigest && config.email.groupingSeconds === 0 ? 1 : MAX_PHOTOS_PER_EMAIL);
  });
}

async function createEmail(tx: Tx, ownerId: string, group: Group, now: Date): Promise<void> {
  const [{ id: firstId, contactId, frequency }] = group;
  const kind = frequency === 'weekly' ? 'digest' : 'photos';
  const id = await reserveEmailId(tx, firstId);
  await insertEmail(tx, { id, ownerId, contactId, kind, createdAt: now });
  await addToEmail(
    tx,
    group.map((delivery) => delivery.id),
    id,
  );
}

function chunk(deliveries: PendingDelivery[], size: number): Group[] {
  const chunks: Group[] = [];
  for (let start = 0; start < deliveries.length; start += size) {
    const [first, ...rest] = deliveries.slice(start, start + size);
    if (first) chunks.push([first, ...rest]);
  }
  return chunks;
}
