import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteIdempotencyKeysBefore } from './idempotency-queries.ts';
import { IDEMPOTENCY_KEY_LIFETIME_MS } from './with-idempotency-key.ts';

export const purgeIdempotencyKeysJob = defineJob({
  name: 'purge-idempotency-keys',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '41 3 * * *',
  handle: ({ db, clock }) =>
    deleteIdempotencyKeysBefore(db, new Date(clock.now().getTime() - IDEMPOTENCY_KEY_LIFETIME_MS)),
});
