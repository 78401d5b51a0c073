import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deleteInvitesExpiredBefore } from './invite-queries.ts';

export const purgeInvitesJob = defineJob({
  name: 'purge-invites',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '53 3 * * *',
  handle: ({ db, clock }) => deleteInvitesExpiredBefore(db, clock.now()),
});
