import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { deleteTokensExpiredBefore } from './user-token-queries.ts';

/** Clears away the links whose time is over. */
export function purgeAccountTokensJob({ db, clock }: Pick<AppContext, 'db' | 'clock'>): JobHandler<object> {
  return () => deleteTokensExpiredBefore(db, clock.now());
}
