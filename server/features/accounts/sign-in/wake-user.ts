import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { makeEmailsDue } from '../../deliveries/email-queries.ts';
import { sendEmailsJob } from '../../deliveries/send-emails-job.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { clearDeletion } from '../users/user-queries.ts';

/** Releases the emails to contacts that waited. @returns false if it was not asleep */
export async function wakeUser(
  context: Pick<AppContext, 'clock' | 'jobs'>,
  tx: Tx,
  id: string,
  email: 'deletion-cancelled' | 'deletion-cancelled-by-admin',
): Promise<boolean> {
  if (!(await clearDeletion(tx, id))) return false;
  // A sign-in while it was put to sleep may have left one.
  await deleteSessions(tx, id);
  await makeEmailsDue(tx, id, context.clock.now());
  await context.jobs.enqueue(tx, sendEmailsJob, {});
  await enqueueAccountEmail(context, tx, id, email);
  return true;
}
