import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { TooManyRequestsError } from '../../platform/errors.ts';
import { sendTextJobDefinition } from '../job-catalogue.ts';
import { listPetsToShare } from '../pets/pet-queries.ts';
import { markMessageDone, type InboundMessageRow } from './inbound-sms-queries.ts';

export type NamedPet = { id: string; name: string };

/**
 * Ends a text: what `act` does, that it is done, and the one answer to its sender come true together or not at all.
 * Whoever is second does nothing.
 */
export async function answerMms(
  { db, jobs, rateLimits }: Pick<AppContext, 'db' | 'jobs' | 'rateLimits'>,
  { id, ownerId, sender }: InboundMessageRow,
  act: (tx: Tx, pets: NamedPet[]) => Promise<string> | string,
): Promise<void> {
  // Before the transaction: within it, it would wait for a second connection while it holds the first.
  const isAnswered = await mayAnswer(rateLimits, sender);
  await db.transaction(async (tx) => {
    // Pets before the SMS: see docs/lock-order.md.
    const pets = await listPetsToShare(tx, ownerId);
    if (!(await markMessageDone(tx, ownerId, id))) return;
    const text = await act(tx, pets);
    if (isAnswered) await jobs.enqueue(tx, sendTextJobDefinition, { id, to: sender, text });
  });
}

async function mayAnswer({ replyPerNumber }: AppContext['rateLimits'], sender: string): Promise<boolean> {
  try {
    await replyPerNumber.consume(sender);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequestsError) return false;
    throw error;
  }
}
