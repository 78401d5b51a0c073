import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { deletePhoneCodesExpiredBefore } from './phone-code-queries.ts';

/** Also deletes the unverified phone numbers, which are stored with their codes. */
export const purgePhoneCodesJob = defineJob({
  name: 'purge-phone-codes',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  cron: '13 * * * *',
  handle: ({ db, clock }) => deletePhoneCodesExpiredBefore(db, clock.now()),
});
