import type { AppContext } from '../../platform/context.ts';
import type { AnswerEmailPayload } from '../job-catalogue.ts';
import { RecipientRefusedError } from '../../platform/mailer/mailer.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { findUser } from '../users/user-queries.ts';
import { findEmail } from './inbound-email-queries.ts';
import { renderAnswerMail } from './email-templates/answer-email.tsx';
import { plainAddress } from './sender/from-address.ts';

/** Tells a known sender once what came of their mail. */
export function answerEmailJob({
  db,
  mailer,
  baseUrl,
  logger,
}: Pick<AppContext, 'db' | 'mailer' | 'baseUrl' | 'logger'>): JobHandler<AnswerEmailPayload> {
  return async ({ ownerId, emailId }) => {
    const [email, owner] = [await findEmail(db, ownerId, emailId), await findUser(db, ownerId)];
    if (!email?.sender || !owner) return;
    // Others whom the owner allows to send have no account that could show it.
    const isOwner = email.sender === plainAddress(owner.email);
    try {
      await mailer.send({
        id: emailId,
        to: { name: '', address: email.sender },
        fromName: 'Mems Are Forever',
        replyTo: null,
        inReplyTo: email.messageId,
        ...renderAnswerMail(email, { origin: baseUrl.origin(), isOwner }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRefusedError)) throw error;
      logger.info({ err: error, emailId }, 'The recipient of an answer was refused');
    }
  };
}
