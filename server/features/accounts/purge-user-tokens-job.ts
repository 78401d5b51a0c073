import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteEmailChangesBefore } from './email-change-queries.ts';
import { deleteUserTokensExpiredBefore } from '../users/user-token-queries.ts';

/** An expired link can still say "This was not me", until an unverified account is deleted. */
const RETENTION_MS = 14 * 24 * 60 * 60 * 1000;

export const purgeUserTokensJob = defineJob({
  name: 'purge-user-tokens',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '51 3 * * *',
  async handle({ db, clock }) {
    const before = new Date(clock.now().getTime() - RETENTION_MS);
    await deleteUserTokensExpiredBefore(db, before);
    await deleteEmailChangesBefore(db, before);
  },
});
