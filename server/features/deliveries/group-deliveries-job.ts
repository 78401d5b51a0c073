import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sendMailsJobDefinition, type GroupDeliveriesPayload } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { lockUser } from '../users/user-queries.ts';
import { deleteDeliveries, listOwedMemories, putIntoMail, type OwedMemory } from './delivery-queries.ts';
import { freeMailId, insertMail } from './email-queries.ts';

/** A mail with more would be too large; the rest goes into further ones. */
const PHOTOS_PER_MAIL = 24;
export const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>;

/**
 * Fixes which photos go out in which mail, before any of them is sent: those that wait for a contact go together, or
 * each by itself when grouping is off. Whoever gets a digest has it once the oldest has waited for a week.
 */
export function groupDeliveriesJob(context: Context): JobHandler<GroupDeliveriesPayload> {
  const { db, jobs, clock } = context;
  return ({ ownerId }) =>
    db.transaction(async (tx) => {
      // Two at the same moment would put the same photo into two mails.
      await lockUser(tx, ownerId);
      const owed = await listOwedMemories(tx, ownerId);
      await deleteDeliveries(
        tx,
        owed.filter(({ isWanted }) => !isWanted).map(({ id }) => id),
      );
      const groups = group(context, owed);
      for (const each of groups) await createMail(tx, ownerId, each, clock.now());
      if (groups.length > 0) await jobs.enqueue(tx, sendMailsJobDefinition, {});
    });
}

type Group = [OwedMemory, ...OwedMemory[]];

function group({ config, clock }: Context, owed: OwedMemory[]): Group[] {
  const byContact = new Map<string, OwedMemory[]>();
  for (const each of owed.filter(({ isWanted }) => isWanted)) {
    byContact.set(each.contactId, [...(byContact.get(each.contactId) ?? []), each]);
  }
  return [...byContact.values()].flatMap((waiting) => {
    const isDigest = waiting[0]?.frequency === 'weekly';
    const oldest = Math.min(...waiting.map(({ createdAt }) => createdAt.getTime()));
    if (isDigest && oldest > clock.now().getTime() - WEEK_MS) return [];
    return chunk(waiting, !isDigest && config.email.groupingSeconds === 0 ? 1 : PHOTOS_PER_MAIL);
  });
}

async function createMail(tx: Tx, ownerId: string, group: Group, now: Date): Promise<void> {
  const [{ id: firstId, contactId, frequency }] = group;
  const kind = frequency === 'weekly' ? 'digest' : 'photos';
  const id = await freeMailId(tx, firstId);
  await insertMail(tx, { id, ownerId, contactId, kind, createdAt: now });
  await putIntoMail(
    tx,
    group.map((each) => each.id),
    id,
  );
}

function chunk(owed: OwedMemory[], size: number): Group[] {
  const chunks: Group[] = [];
  for (let start = 0; start < owed.length; start += size) {
    const [first, ...rest] = owed.slice(start, start + size);
    if (first) chunks.push([first, ...rest]);
  }
  return chunks;
}
