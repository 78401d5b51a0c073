import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { EMAIL_JOB_TIMES } from '../../../platform/mailer/email-job-times.ts';
import { RecipientRejectedError } from '../../../platform/mailer/mailer.ts';
import { renderAccountEmail } from './email-templates/account-email.tsx';
import { formatDay } from '../../../platform/time/format-day.ts';
import {
  getDisplayName,
  isActive,
  isEmailVerified,
  lockUserIfExists,
  updateUser,
  userTimeZone,
  type UserRow,
} from './user-queries.ts';
import { USER_TOKEN_LIFETIMES_MS } from './user-token-lifetimes.ts';
import { isMakerEntitled, storeUserToken, type UserTokenPurpose } from './user-token-queries.ts';

export const USER_TOKEN_PATHS = {
  'verify-email': '/verify-email',
  'reset-password': '/reset-password',
  'start-again': '/start-again',
  'secure-account': '/secure-account',
};
const Purpose = z.enum([
  'verify-email',
  'deletion-warning',
  'reset-password',
  'reset-password-by-admin',
  'reset-link-created',
  'start-again',
  'deletion-requested',
  'deletion-requested-by-admin',
  'deletion-reminder',
  'deletion-cancelled',
  'deletion-cancelled-by-admin',
  'export-ready',
]);
type Purpose = z.infer<typeof Purpose>;
/** The purpose of the link in the email, or the page of a link without a token. */
const LINKS: Record<Purpose, { token: UserTokenPurpose } | { page: string }> = {
  'verify-email': { token: 'verify-email' },
  'deletion-warning': { token: 'verify-email' },
  'reset-password': { token: 'reset-password' },
  'reset-password-by-admin': { token: 'reset-password' },
  'reset-link-created': { page: '/forgot-password' },
  'start-again': { token: 'start-again' },
  'deletion-requested': { page: '/auth' },
  'deletion-requested-by-admin': { page: '/auth' },
  'deletion-reminder': { page: '/auth' },
  'deletion-cancelled': { page: '/forgot-password' },
  'deletion-cancelled-by-admin': { page: '/auth' },
  'export-ready': { page: '/account#export' },
};
/** Announce the deletion; each is sent once. */
const isWarning = (purpose: Purpose) => purpose === 'deletion-warning' || purpose === 'deletion-reminder';

/** The link's token is a keyed hash of the email's id: it is not stored, and a retry sends the same link. */
export const sendAccountEmailJob = defineJob({
  name: 'send-account-email',
  formerNames: ['send-account-mail'],
  payload: z.object({
    userId: z.string(),
    purpose: Purpose,
    /** The same over retries. Jobs of the first release have none. */
    emailId: z.string().default(() => uuidv7()),
    /** Of what the email announces, if that is not the deletion of the account. */
    deadline: z.iso.datetime().optional(),
    /** The administrator who asked for a link. */
    createdBy: z.string().optional(),
  }),
  retries: 8,
  ...EMAIL_JOB_TIMES,
  concurrency: 2,
  async handle({ db, clock, keyedHash, logger, mailer, baseUrl }, payload) {
    const { userId, purpose, emailId: id, deadline, createdBy = null } = payload;
    const link = LINKS[purpose];
    const tokenPurpose = 'token' in link ? link.token : null;
    const token = keyedHash('account-token', id);
    // The lock orders it with changes of the address, which end the tokens sent to the one before.
    const user = await db.transaction(async (tx) => {
      const owner = await lockUserIfExists(tx, userId);
      if (!owner || isObsolete(purpose, owner)) return null;
      if (!tokenPurpose) return owner;
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + USER_TOKEN_LIFETIMES_MS[tokenPurpose]);
      if (!(await isMakerEntitled(tx, { ownerId: userId, createdBy }))) return null;
      const row = {
        id,
        ownerId: userId,
        purpose: tokenPurpose,
        isEmailed: true,
        createdBy,
        createdAt,
        expiresAt,
      };
      return (await storeUserToken(tx, token, row)) ? owner : null;
    });
    if (!user) return;
    // A stranger may have registered the address, with a name that is a message of theirs.
    const name = isEmailVerified({ mailer }, user) ? getDisplayName(user) : null;
    // In the fragment, which browsers send neither to us nor in a Referer: it appears in no log.
    const path = 'token' in link ? `${USER_TOKEN_PATHS[link.token]}#${token}` : link.page;
    const url = `${baseUrl.origin()}${path}`;
    const disownUrl = tokenPurpose === 'verify-email' ? `${baseUrl.origin()}/not-me#${token}` : null;
    const due = deadline ? new Date(deadline) : (user.deletionDueAt ?? user.verifyEmailBy);
    const day = due && formatDay(due, userTimeZone(user));
    try {
      await mailer.send({
        id,
        to: { name: name ?? '', address: user.email },
        fromName: 'Mems Are Forever',
        replyTo: null,
        ...renderAccountEmail(purpose, { name, url, disownUrl, day }),
        images: [],
        unsubscribeUrl: null,
      });
    } catch (error) {
      if (!(error instanceof RecipientRejectedError)) throw error;
      logger.info({ err: error, emailId: id }, "A mail server rejected a user's address");
    }
    // Also when the address does not exist: no later warning would arrive either.
    if (isWarning(purpose)) await updateUser(db, userId, { deletionWarnedAt: clock.now() });
  },
});

/** When what it announces has changed since. */
function isObsolete(purpose: Purpose, user: UserRow): boolean {
  switch (purpose) {
    case 'deletion-warning':
      return (
        !user.verifyEmailBy || [user.emailVerifiedAt, user.deletionWarnedAt, user.deletionDueAt].some(Boolean)
      );
    case 'deletion-reminder':
      return !user.deletionDueAt || user.deletionWarnedAt !== null;
    case 'deletion-requested':
    case 'deletion-requested-by-admin':
      return !user.deletionDueAt;
    case 'deletion-cancelled':
    case 'deletion-cancelled-by-admin':
      return user.deletionDueAt !== null;
    case 'export-ready':
      return !isActive(user);
    default:
      return false;
  }
}

export function enqueueAccountEmail(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  userId: string,
  purpose: Purpose,
  { deadline, createdBy }: { deadline?: Date; createdBy?: string } = {},
): Promise<void> {
  return jobs.enqueue(tx, sendAccountEmailJob, {
    userId,
    purpose,
    emailId: uuidv7(),
    ...(deadline && { deadline: deadline.toISOString() }),
    ...(createdBy && { createdBy }),
  });
}
