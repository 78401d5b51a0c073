import * as z from 'zod';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { emailKey } from '../../inbound-email/inbound-email-queries.ts';
import { deleteStagedBytes } from '../../images/staged-object.ts';

/** Uploads and emails of a deleted user, whose rows the hourly purges would have needed. */
export const deleteReceivedObjectsJob = defineJob({
  name: 'delete-received-objects',
  payload: z.object({ uploadIds: z.array(z.string()), emailIds: z.array(z.string()) }),
  retries: 14,
  expireInSeconds: 15 * 60,
  async handle({ storage }, { uploadIds, emailIds }) {
    for (const id of uploadIds) {
      await storage.deleteUpload(id);
      await deleteStagedBytes(storage, id);
    }
    for (const id of emailIds) await storage.delete(emailKey(id));
  },
});
