import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { EMAIL_JOB_TIMES } from '../../platform/mailer/email-job-times.ts';
import { RecipientRefusedError } from '../../platform/mailer/mailer.ts';
import { renderInviteEmail } from './email-templates/invite-email.tsx';
import { findInvite } from './invite-queries.ts';
import { toInviteToken, toInviteUrl } from './invite-token.ts';

export const sendInviteEmailJob = defineJob({
  name: 'send-invite-email',
  payload: z.object({ inviteId: z.string() }),
  retries: 8,
  ...EMAIL_JOB_TIMES,
  concurrency: 2,
  async handle(context, { inviteId }) {
    const { db, clock, logger, mailer } = context;
    const invite = await findInvite(db, inviteId);
    if (!invite?.email || invite.expiresAt <= clock.now()) return;
    const url = toInviteUrl(context, toInviteToken(context, 'emailed-invite', invite.id));
    try {
      await mailer.send({
        id: invite.id,
        to: { name: '', address: invite.email },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...renderInviteEmail({ inviter: invite.inviter, url }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRefusedError)) throw error;
      logger.info({ err: error, emailId: invite.id }, 'A mail server rejected an invited address');
    }
  },
});
