import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { trashCutoff } from '../memories/memory-trash.ts';
import { deleteMessagesBefore } from './inbound-sms-queries.ts';

/** Forgets what was said in messages, once it can no longer be taken back; their memories stay. */
export function purgeInboundMessagesJob({ db, clock }: Pick<AppContext, 'db' | 'clock'>): JobHandler<object> {
  return () => deleteMessagesBefore(db, trashCutoff(clock));
}
