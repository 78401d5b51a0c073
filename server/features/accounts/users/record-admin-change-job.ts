import * as z from 'zod';
import { defineJob } from '../../../platform/jobs/define-job.ts';

/**
 * Records a change in the app's log after its transaction has been committed, also one by `npm run admin`, which is another
 * process.
 */
export const recordAdminChangeJob = defineJob({
  name: 'record-admin-change',
  payload: z.object({
    event: z.enum(['account-edited', 'reset-link-created', 'totp-off']),
    by: z.enum(['npm run admin', 'ADMIN_EMAIL']),
    userId: z.string(),
    at: z.string(),
    isAdmin: z.boolean().optional(),
  }),
  retries: 2,
  expireInSeconds: 60,
  handle({ securityLog }, { event, userId, ...details }) {
    securityLog.record(event, 'success', { userId, details });
    return Promise.resolve();
  },
});
