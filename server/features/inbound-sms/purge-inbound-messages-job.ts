import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { trashCutoff } from '../memories/trash/memory-trash.ts';
import { deleteMessagesBefore } from './inbound-sms-queries.ts';

/** Deletes messages, of email too, whose photos UNDO can no longer restore from the trash. Their memories stay. */
export const purgeInboundMessagesJob = defineJob({
  name: 'purge-inbound-messages',
  cron: '23 3 * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 5 * 60,
  handle: ({ db, clock }) => deleteMessagesBefore(db, trashCutoff(clock)),
});
