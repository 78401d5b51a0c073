import * as z from 'zod';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { EMAIL_JOB_TIMES } from '../../../platform/mailer/email-job-times.ts';
import { RecipientRejectedError } from '../../../platform/mailer/mailer.ts';
import { renderInvitationEmail } from './email-templates/invitation-email.tsx';
import { findInvitation } from './invitation-queries.ts';
import { toInvitationToken, toInvitationUrl } from './invitation-token.ts';

export const sendInvitationEmailJob = defineJob({
  name: 'send-invitation-email',
  formerNames: ['send-invite-email'],
  payload: z.object({ invitationId: z.string() }),
  retries: 8,
  ...EMAIL_JOB_TIMES,
  concurrency: 2,
  async handle(context, { invitationId }) {
    const { db, clock, logger, mailer } = context;
    const invitation = await findInvitation(db, invitationId);
    if (!invitation?.email || invitation.expiresAt <= clock.now()) return;
    const url = toInvitationUrl(context, toInvitationToken(context, 'emailed-invite', invitation.id));
    try {
      await mailer.send({
        id: invitation.id,
        to: { name: '', address: invitation.email },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...renderInvitationEmail({ inviter: invitation.inviterName, url }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRejectedError)) throw error;
      logger.info({ err: error, emailId: invitation.id }, 'A mail server rejected an invited address');
    }
  },
});
