import type { AppContext } from '../context.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { KEPT_FOR_MS } from './answer-once.ts';
import { deleteKeysBefore } from './idempotency-queries.ts';

/** Clears away the keys that answer nothing any more. */
export function purgeIdempotencyKeysJob({ db, clock }: Pick<AppContext, 'db' | 'clock'>): JobHandler<object> {
  return () => deleteKeysBefore(db, new Date(clock.now().getTime() - KEPT_FOR_MS));
}
