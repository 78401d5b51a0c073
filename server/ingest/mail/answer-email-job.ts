import type { AppContext } from '../../context.ts';
import type { AnswerEmailPayload } from '../../jobs/job-catalogue.ts';
import { MailRefusedError } from '../../ports/mailer.ts';
import type { JobHandler } from '../../ports/job-queue.ts';
import { findEmail } from './email-queries.ts';
import { renderAnswerMail } from './mails/answer-mail.tsx';

/** Tells a known sender once what came of their mail. */
export function answerEmailJob({
  db,
  mailer,
  publicAddress,
  logger,
}: Pick<AppContext, 'db' | 'mailer' | 'publicAddress' | 'logger'>): JobHandler<AnswerEmailPayload> {
  return async ({ ownerId, emailId }) => {
    const email = await findEmail(db, ownerId, emailId);
    if (!email?.sender) return;
    try {
      await mailer.send({
        id: emailId,
        to: { name: '', address: email.sender },
        fromName: 'Mems Are Forever',
        replyTo: null,
        inReplyTo: email.messageId,
        ...renderAnswerMail(email, `${publicAddress.origin()}/gallery`),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof MailRefusedError)) throw error;
      logger.info({ err: error, emailId }, 'An answer to a mail was refused');
    }
  };
}
