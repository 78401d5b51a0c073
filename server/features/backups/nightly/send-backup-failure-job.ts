import * as z from 'zod';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { EMAIL_JOB_TIMES } from '../../../platform/mailer/email-job-times.ts';
import { RecipientRejectedError } from '../../../platform/mailer/mailer.ts';
import { findUser, getDisplayName, userTimeZone } from '../../accounts/users/user-queries.ts';
import { renderBackupFailure } from '../email-templates/backup-failure.tsx';
import { findLastBackupRuns } from './backup-run-queries.ts';

export const sendBackupFailureJob = defineJob({
  name: 'send-backup-failure',
  payload: z.object({ emailId: z.string(), userId: z.string(), reason: z.string() }),
  retries: 8,
  ...EMAIL_JOB_TIMES,
  async handle({ baseUrl, db, logger, mailer }, { emailId: id, userId, reason }) {
    const user = await findUser(db, userId);
    if (!user?.isAdmin) return;
    const name = getDisplayName(user);
    const { completed } = await findLastBackupRuns(db);
    const time = new Intl.DateTimeFormat('en-US', {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: userTimeZone(user),
    });
    const lastBackup = completed && time.format(completed.startedAt);
    try {
      await mailer.send({
        id,
        to: { name, address: user.email },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...renderBackupFailure({ name, url: `${baseUrl.origin()}/admin`, reason, lastBackup }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRejectedError)) throw error;
      logger.info({ err: error, emailId: id }, "A mail server rejected an administrator's address");
    }
  },
});
