import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { RecipientRefusedError } from '../../platform/mailer/mailer.ts';
import { renderInviteEmail } from './email-templates/invite-email.tsx';
import { findInvite } from './invite-queries.ts';
import { toInviteToken, toInviteUrl } from './invite-token.ts';

export const sendInviteEmailJob = defineJob({
  name: 'send-invite-email',
  payload: z.object({ inviteId: z.string() }),
  retries: 8,
  // Longer than a slow mail server may take for one email (RFC 5321, 4.5.3.2).
  expireInSeconds: 40 * 60,
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
