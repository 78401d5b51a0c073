import type { AppContext } from '../context.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { trashedSince } from '../memories/memory-trash.ts';
import { deleteMessagesBefore } from './ingest-queries.ts';

/** Forgets what was said in messages, once it can no longer be taken back; their memories stay. */
export function purgeInboundMessagesJob({ db, clock }: Pick<AppContext, 'db' | 'clock'>): JobHandler<object> {
  return () => deleteMessagesBefore(db, trashedSince(clock));
}
