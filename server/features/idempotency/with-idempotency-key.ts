import { createHash } from 'node:crypto';
import type { AppContext } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { InvalidError } from '../../platform/errors.ts';
import {
  claimIdempotencyKey,
  findIdempotencyKeyRow,
  storeResourceId,
  type IdempotencyKey,
} from './idempotency-queries.ts';

export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A request with an `Idempotency-Key`: its client may retry it without knowing whether the first one arrived. */
export type IdempotentRequest = IdempotencyKey & { requestHash: string };

/** @throws NotFoundError if it was deleted since */
type FindResource<Resource> = (db: Db | Tx, id: string) => Promise<Resource>;

/** Identifies a request's content, so that a key cannot be reused for another. */
export function hashRequest(fields: object, file: Uint8Array | null = null): string {
  const hash = createHash('sha256').update(JSON.stringify(fields));
  return (file ? hash.update('\0').update(file) : hash).digest('hex');
}

/** Runs `create` once per key; retries find what it created. The key commits with the writes of `create`. */
export async function withIdempotencyKey<Resource extends { id: string }>(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Tx,
  request: IdempotentRequest | null,
  { create, find }: { create: () => Promise<Resource>; find: FindResource<Resource> },
): Promise<Resource> {
  if (!request) return create();
  const now = clock.now();
  const since = oldestValid(now);
  if (!(await claimIdempotencyKey(tx, { ...request, createdAt: now }, since))) {
    const created = await findCreatedSince(since, tx, request, find);
    if (created) return created;
    throw new Error('The idempotency key is taken, but has no resource');
  }
  const resource = await create();
  await storeResourceId(tx, request, resource.id);
  return resource;
}

/** Lets a caller skip expensive work for a retry before it opens its transaction. */
export async function findCreated<Resource>(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  request: IdempotentRequest | null,
  find: FindResource<Resource>,
): Promise<Resource | null> {
  return request && findCreatedSince(oldestValid(clock.now()), db, request, find);
}

async function findCreatedSince<Resource>(
  since: Date,
  db: Db | Tx,
  request: IdempotentRequest,
  find: FindResource<Resource>,
): Promise<Resource | null> {
  const row = await findIdempotencyKeyRow(db, request, since);
  if (!row?.resourceId) return null;
  if (row.requestHash !== request.requestHash) {
    const message = 'This form was already sent with different content. Please open it again.';
    throw new InvalidError(message, { 'Idempotency-Key': message });
  }
  return find(db, row.resourceId);
}

function oldestValid(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_KEY_LIFETIME_MS);
}
