import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { RecipientRefusedError } from '../../platform/mailer/mailer.ts';
import { renderAccountEmail } from './email-templates/account-email.tsx';
import { findUser, getDisplayName } from './user-queries.ts';
import { storeUserToken, USER_TOKEN_LIFETIMES_MS } from './user-token-queries.ts';

export const USER_TOKEN_PATHS = { 'verify-email': '/verify-email', 'reset-password': '/reset-password' };

/** The link's token is a keyed hash of the email's id: it is not stored, and a retry sends the same link. */
export const sendAccountEmailJob = defineJob({
  // Jobs with this name and this payload may be pending since an earlier release.
  name: 'send-account-mail',
  payload: z.object({
    userId: z.string(),
    purpose: z.enum(['verify-email', 'reset-password']),
    /** The same over retries. Jobs of the first release have none. */
    mailId: z.string().default(() => uuidv7()),
  }),
  retries: 8,
  // Longer than a slow mail server may take for one email (RFC 5321, 4.5.3.2).
  expireInSeconds: 40 * 60,
  concurrency: 2,
  async handle({ db, clock, keyedHash, logger, mailer, baseUrl }, { userId, purpose, mailId: id }) {
    const user = await findUser(db, userId);
    if (!user) return;
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + USER_TOKEN_LIFETIMES_MS[purpose]);
    const token = keyedHash('account-token', id);
    const row = { id, ownerId: userId, purpose, isEmailed: true, createdAt, expiresAt };
    const isValid = await storeUserToken(db, token, row);
    if (!isValid) return;
    const name = getDisplayName(user);
    // In the fragment, which browsers send neither to us nor in a Referer: it appears in no log.
    const url = `${baseUrl.origin()}${USER_TOKEN_PATHS[purpose]}#${token}`;
    try {
      await mailer.send({
        id,
        to: { name, address: user.email },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...renderAccountEmail(purpose, { name, url }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRefusedError)) throw error;
      logger.info({ err: error, emailId: id }, "A mail server rejected a user's address");
    }
  },
});
