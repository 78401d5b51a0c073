import type { AppContext } from '../../platform/context.ts';
import type { SendAccountMailPayload } from '../job-catalogue.ts';
import { RecipientRefusedError } from '../../platform/mailer/mailer.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { activateAccountToken } from './user-token-queries.ts';
import { displayNameOf } from './display-name.ts';
import { renderAccountMail } from './email-templates/account-email.tsx';
import { findUser } from './user-queries.ts';

const HOUR_MS = 60 * 60 * 1000;
const LIFETIMES_MS = { 'verify-email': 24 * HOUR_MS, 'reset-password': HOUR_MS };
const PATHS = { 'verify-email': '/verify-email', 'reset-password': '/reset-password' };

/**
 * Sends a link with a token that only this installation can derive from the mail's id: it is kept nowhere, and the same
 * mail sent again has the same link.
 */
export function sendAccountMailJob(
  context: Pick<AppContext, 'db' | 'clock' | 'keyedHash' | 'logger' | 'mailer' | 'baseUrl'>,
): JobHandler<SendAccountMailPayload> {
  const { db, clock, keyedHash, logger, mailer, baseUrl } = context;
  return async ({ userId, purpose, mailId: id }) => {
    const user = await findUser(db, userId);
    if (!user) return;
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIMES_MS[purpose]);
    const token = keyedHash('account-token', id);
    const isValid = await activateAccountToken(db, token, {
      id,
      ownerId: userId,
      purpose,
      createdAt,
      expiresAt,
    });
    if (!isValid) return;
    const name = displayNameOf(user);
    // After the `#`: so it stands in no log, and no other site is told of it.
    const url = `${baseUrl.origin()}${PATHS[purpose]}#${token}`;
    const content = renderAccountMail(purpose, { name, url });
    try {
      await mailer.send({
        id,
        to: { name, address: user.email },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...content,
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRefusedError)) throw error;
      logger.info({ err: error, mailId: id }, 'The address of an account was refused');
    }
  };
}
