import { createHash } from 'node:crypto';
import type { AppContext } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { InvalidError } from '../../platform/errors.ts';
import {
  claimIdempotencyKey,
  findIdempotencyKeyRow,
  storeResponse,
  type IdempotencyKey,
} from './idempotency-queries.ts';

export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A request with an `Idempotency-Key`: its client may retry it without knowing whether the first one arrived. */
export type IdempotentRequest = IdempotencyKey & { requestHash: string };
export type StoredResponse = { status: number; body: unknown };

/** Identifies a request's content, so that a key cannot be reused for another. */
export function hashRequest(fields: object, file: Uint8Array | null = null): string {
  const hash = createHash('sha256').update(JSON.stringify(fields));
  return (file ? hash.update('\0').update(file) : hash).digest('hex');
}

/** Runs `respond` once per key; retries get the stored response, which commits with the writes of `respond`. */
export async function withIdempotencyKey(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Tx,
  request: IdempotentRequest | null,
  respond: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  if (!request) return respond();
  const now = clock.now();
  const since = oldestValid(now);
  if (!(await claimIdempotencyKey(tx, { ...request, createdAt: now }, since))) {
    const stored = await findResponseSince(since, tx, request);
    if (stored) return stored;
    throw new Error('The idempotency key is taken, but has no stored response');
  }
  const response = await respond();
  await storeResponse(tx, request, { status: response.status, response: response.body });
  return response;
}

/** Lets a caller skip expensive work for a retry before it opens its transaction. */
export async function findStoredResponse(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  request: IdempotentRequest | null,
): Promise<StoredResponse | null> {
  return request && findResponseSince(oldestValid(clock.now()), db, request);
}

async function findResponseSince(
  since: Date,
  db: Db | Tx,
  request: IdempotentRequest,
): Promise<StoredResponse | null> {
  const row = await findIdempotencyKeyRow(db, request, since);
  if (!row) return null;
  if (row.requestHash !== request.requestHash) {
    const message = 'This form was already sent with different content. Please open it again.';
    throw new InvalidError(message, { 'Idempotency-Key': message });
  }
  return { status: row.status, body: row.response };
}

function oldestValid(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEY_LIFETIME_MS);
}
