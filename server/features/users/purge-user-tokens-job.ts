import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteUserTokensExpiredBefore } from './user-token-queries.ts';

export const purgeUserTokensJob = defineJob({
  name: 'purge-user-tokens',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '51 3 * * *',
  handle: ({ db, clock }) => deleteUserTokensExpiredBefore(db, clock.now()),
});
