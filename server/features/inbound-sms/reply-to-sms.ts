import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { findUser, isActive } from '../accounts/users/user-queries.ts';
import { listPetsToShare } from '../pets/pet-queries.ts';
import { markMessageDone, type InboundMessageRow } from './inbound-sms-queries.ts';
import { sendSmsJob } from './send-sms-job.ts';

export type NamedPet = { id: string; name: string };

/** Executes the SMS, marks it as done and enqueues the reply in one transaction. Idempotent. */
export async function replyToSms(
  { db, jobs, rateLimits }: Pick<AppContext, 'db' | 'jobs' | 'rateLimits'>,
  { id, ownerId, sender }: InboundMessageRow,
  execute: (tx: Tx, pets: NamedPet[]) => Promise<string> | string,
): Promise<void> {
  // Outside the transaction: inside, it would wait for a second connection while holding the first.
  const owner = await findUser(db, ownerId);
  const isReplied =
    owner !== null && isActive(owner) && (await isWithinLimit(rateLimits.replyPerNumber, sender));
  await db.transaction(async (tx) => {
    // Locks pets before the message, as the deletion of a pet does.
    const pets = await listPetsToShare(tx, ownerId);
    if (!(await markMessageDone(tx, ownerId, id))) return;
    const text = await execute(tx, pets);
    if (isReplied) await jobs.enqueue(tx, sendSmsJob, { id, to: sender, text });
  });
}
