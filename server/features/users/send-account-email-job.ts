import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { RecipientRefusedError } from '../../platform/mailer/mailer.ts';
import { renderAccountEmail } from './email-templates/account-email.tsx';
import { formatDay } from '../deliveries/format-day.ts';
import { findUser, getDisplayName, updateUser, userTimeZone } from './user-queries.ts';
import { storeUserToken, USER_TOKEN_LIFETIMES_MS } from './user-token-queries.ts';

export const USER_TOKEN_PATHS = {
  'verify-email': '/verify-email',
  'reset-password': '/reset-password',
  'start-again': '/start-again',
};
const Purpose = z.enum(['verify-email', 'reset-password', 'start-again', 'deletion-warning']);
type Purpose = z.infer<typeof Purpose>;

/** The link's token is a keyed hash of the email's id: it is not stored, and a retry sends the same link. */
export const sendAccountEmailJob = defineJob({
  // Jobs with this name and this payload may be pending since an earlier release.
  name: 'send-account-mail',
  payload: z.object({
    userId: z.string(),
    purpose: Purpose,
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
    const isWarning = purpose === 'deletion-warning';
    if (isWarning && (user.emailVerifiedAt || user.deletionWarnedAt || !user.verifyEmailBy)) return;
    const tokenPurpose = isWarning ? 'verify-email' : purpose;
    const createdAt = clock.now();
    const expiresAt = new Date(createdAt.getTime() + USER_TOKEN_LIFETIMES_MS[tokenPurpose]);
    const token = keyedHash('account-token', id);
    const row = { id, ownerId: userId, purpose: tokenPurpose, isEmailed: true, createdAt, expiresAt };
    const isValid = await storeUserToken(db, token, row);
    if (!isValid) return;
    const name = getDisplayName(user);
    // In the fragment, which browsers send neither to us nor in a Referer: it appears in no log.
    const url = `${baseUrl.origin()}${USER_TOKEN_PATHS[tokenPurpose]}#${token}`;
    const disownUrl = tokenPurpose === 'verify-email' ? `${baseUrl.origin()}/not-me#${token}` : null;
    const deletionDay = user.verifyEmailBy ? formatDay(user.verifyEmailBy, userTimeZone(user)) : null;
    try {
      await mailer.send({
        id,
        to: { name, address: user.email },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...renderAccountEmail(purpose, { name, url, disownUrl, deletionDay }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRefusedError)) throw error;
      logger.info({ err: error, emailId: id }, "A mail server rejected a user's address");
    }
    // Also when the address does not exist: no later warning would arrive either.
    if (isWarning) await updateUser(db, userId, { deletionWarnedAt: clock.now() });
  },
});

export function enqueueAccountEmail(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  userId: string,
  purpose: Purpose,
): Promise<void> {
  return jobs.enqueue(tx, sendAccountEmailJob, { userId, purpose, mailId: uuidv7() });
}
