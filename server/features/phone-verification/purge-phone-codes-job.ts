import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { deleteCodesExpiredBefore } from './phone-code-queries.ts';

/** Clears away the codes whose time is over, and the numbers with them that nobody proved. */
export function purgePhoneCodesJob({ db, clock }: Pick<AppContext, 'db' | 'clock'>): JobHandler<object> {
  return () => deleteCodesExpiredBefore(db, clock.now());
}
