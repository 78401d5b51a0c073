import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { EMAIL_JOB_TIMES } from '../../platform/mailer/email-job-times.ts';
import { RecipientRejectedError } from '../../platform/mailer/mailer.ts';
import { findUser, isActive } from '../accounts/users/user-queries.ts';
import { renderReplyEmail } from './email-templates/reply-email.tsx';
import { findEmail } from './inbound-email-queries.ts';
import { toPlainAddress } from './sender/from-address.ts';

const Payload = z.object({ ownerId: z.string(), emailId: z.string() });

/** Replies to a known sender with the result of their email. Retried for a day while the mail server is down. */
export const replyToEmailJob = defineJob({
  name: 'reply-to-email',
  formerNames: ['answer-email'],
  payload: Payload,
  retries: 14,
  ...EMAIL_JOB_TIMES,
  concurrency: 2,
  handle: replyToEmail,
});

async function replyToEmail(
  { config, db, mailer, baseUrl, logger }: AppContext,
  { ownerId, emailId }: z.infer<typeof Payload>,
): Promise<void> {
  const [email, owner] = [await findEmail(db, ownerId, emailId), await findUser(db, ownerId)];
  if (!email?.sender || !owner || !isActive(owner)) return;
  // Other allowed senders have no account in which the link would work.
  const isOwner = email.sender === toPlainAddress(owner.email);
  try {
    await mailer.send({
      id: emailId,
      to: { name: '', address: email.sender },
      fromName: 'Mems Are Forever',
      replyTo: null,
      inReplyTo: email.messageId,
      ...renderReplyEmail(email, { config, origin: baseUrl.origin(), isOwner }),
      images: [],
      unsubscribeUrl: null,
    });
  } catch (error) {
    if (!(error instanceof RecipientRejectedError)) throw error;
    logger.info({ err: error, emailId }, 'The mail server rejected the recipient of a reply');
  }
}
