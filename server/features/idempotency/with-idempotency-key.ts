import { createHash } from 'node:crypto';
import type { AppContext } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { InvalidError } from '../../platform/errors.ts';
import { claimKey, findAnswer, keepAnswer, type KeyOfCall } from './idempotency-queries.ts';

/** How long a key answers the same thing. */
export const KEPT_FOR_MS = 24 * 60 * 60 * 1000;

/** A call that its sender may repeat, since it does not know whether the first one arrived. */
export type RepeatableCall = KeyOfCall & { requestHash: string };
export type Answer = { status: number; body: unknown };

/** The same for the same request, fields and file. */
export function hashRequest(fields: object, file: Uint8Array | null = null): string {
  const hash = createHash('sha256').update(JSON.stringify(fields));
  return (file ? hash.update('\0').update(file) : hash).digest('hex');
}

/**
 * Answers a repeatable call once: a repeated one, also at the same moment, gets the first one's answer. What `answer`
 * writes belongs to the caller's transaction, as the note of the answer does: both stay or neither, so that a failed
 * call can be sent again with its key. A call without a key is answered each time.
 *
 * @throws InvalidError when the key was used for another request
 */
export async function answerOnce(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Tx,
  call: RepeatableCall | null,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  if (!call) return answer();
  const now = clock.now();
  if (!(await claimKey(tx, { ...call, createdAt: now }, expiryAt(now)))) {
    const earlier = await answerSince(expiryAt(now), tx, call);
    if (earlier) return earlier;
    throw new Error('The key is taken, and nothing is kept for it');
  }
  const given = await answer();
  await keepAnswer(tx, call, { status: given.status, answer: given.body });
  return given;
}

/** What this call was answered before, if it was: asked ahead of work that a repeated call need not do again. */
export async function earlierAnswer(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  call: RepeatableCall | null,
): Promise<Answer | null> {
  return call && answerSince(expiryAt(clock.now()), db, call);
}

async function answerSince(since: Date, db: Db | Tx, call: RepeatableCall): Promise<Answer | null> {
  const row = await findAnswer(db, call, since);
  if (!row) return null;
  if (row.requestHash !== call.requestHash) {
    const message = 'This form was already sent with different content. Please open it again.';
    throw new InvalidError(message, { 'Idempotency-Key': message });
  }
  return { status: row.status, body: row.answer };
}

function expiryAt(now: Date): Date {
  return new Date(now.getTime() - KEPT_FOR_MS);
}
