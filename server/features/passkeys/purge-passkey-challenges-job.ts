import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteExpiredChallenges } from './passkey-queries.ts';

export const purgePasskeyChallengesJob = defineJob({
  name: 'purge-passkey-challenges',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '27 * * * *',
  handle: ({ db, clock }) => deleteExpiredChallenges(db, clock.now()),
});
