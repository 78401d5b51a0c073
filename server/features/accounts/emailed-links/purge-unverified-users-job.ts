import * as z from 'zod';
import type { AppContext } from '../../../platform/context.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { deleteUser } from '../deletion/delete-user.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { listUsersToWarn, lockUserToPurge } from './unverified-user-queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WARNING_LEAD_TIME_MS = 3 * DAY_MS;
/** Also when the warning is late, because no email could be sent. */
const MIN_WARNING_MS = 2 * DAY_MS;

/** Deletes accounts whose address was not verified in time, some days after an email has announced it. */
export const purgeUnverifiedUsersJob = defineJob({
  name: 'purge-unverified-users',
  cron: '43 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  async handle(context) {
    const { db, clock, mailer } = context;
    // Without a mail server, addresses cannot be verified.
    if (mailer.isEmbedded) return;
    const now = clock.now().getTime();
    for (const { id } of await listUsersToWarn(db, new Date(now + WARNING_LEAD_TIME_MS)))
      await db.transaction((tx) => enqueueAccountEmail(context, tx, id, 'deletion-warning'));
    while (await purgeNext(context));
  },
});

async function purgeNext(context: AppContext): Promise<boolean> {
  const now = context.clock.now();
  const warnedBefore = new Date(now.getTime() - MIN_WARNING_MS);
  const purged = await retryDeadlock(() =>
    context.db.transaction(async (tx) => {
      const user = await lockUserToPurge(tx, { now, warnedBefore });
      if (user) await deleteUser(context, tx, user.id);
      return user;
    }),
  );
  if (!purged) return false;
  const details = { reason: 'email-unverified' };
  context.securityLog.record('account-deleted', 'success', { userId: purged.id, details });
  return true;
}
