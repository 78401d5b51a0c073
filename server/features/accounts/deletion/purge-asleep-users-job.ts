import * as z from 'zod';
import type { AppContext } from '../../../platform/context.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { listUsersToPurge, listUsersToRemind, lockUserToPurge } from './account-deletion-queries.ts';
import { deleteUser } from './delete-user.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const REMINDER_LEAD_TIME_MS = 2 * DAY_MS;
/** Also when the reminder is late, because the server was off or no email could be sent. */
const MIN_REMINDED_MS = DAY_MS;

/** Deletes accounts at the end of their sleep, some days after an email has reminded their owner. */
export const purgeAsleepUsersJob = defineJob({
  name: 'purge-asleep-users',
  cron: '13 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  async handle(context) {
    const { db, clock } = context;
    const now = clock.now();
    for (const { id } of await listUsersToRemind(db, new Date(now.getTime() + REMINDER_LEAD_TIME_MS)))
      await db.transaction((tx) => enqueueAccountEmail(context, tx, id, 'deletion-reminder'));
    const due = { now, remindedBefore: new Date(now.getTime() - MIN_REMINDED_MS) };
    for (const { id } of await listUsersToPurge(db, due)) await purge(context, id, due);
  },
});

class JobRunningError extends Error {}

async function purge(
  context: AppContext,
  userId: string,
  due: Parameters<typeof lockUserToPurge>[2],
): Promise<void> {
  const isPurged = await retryDeadlock(() =>
    context.db.transaction(async (tx) => {
      if (!(await lockUserToPurge(tx, userId, due))) return false;
      const { isJobRunning } = await deleteUser(context, tx, userId);
      // Its finished row would stay, with the user's id. The next run tries again.
      if (isJobRunning) throw new JobRunningError();
      return true;
    }),
  ).catch((error: unknown) => {
    if (!(error instanceof JobRunningError)) throw error;
    return false;
  });
  if (isPurged)
    context.securityLog.record('account-deleted', 'success', { userId, details: { reason: 'requested' } });
}
