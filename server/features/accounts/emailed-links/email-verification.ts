import { DISABLED_ACCOUNT, PASSWORD_NEEDED, type VerifyEmailRequest } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, ForbiddenError, InvalidError } from '../../../platform/errors.ts';
import { makeEmailsDue } from '../../deliveries/email-queries.ts';
import { sendEmailsJob } from '../../deliveries/send-emails-job.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { grantAdminRole } from '../users/admin-email.ts';
import { deleteUser } from '../deletion/delete-user.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { lockUnverifiedUser } from './unverified-user-queries.ts';
import { isEmailVerified, updateUser, type UserRow } from '../users/user-queries.ts';
import {
  consumeUserToken,
  findUserTokenOwner,
  isMakerEntitled,
  lockUserOfToken,
  revokeUserTokens,
  type ConsumedToken,
  type UserTokenPurpose,
} from '../users/user-token-queries.ts';

const INVALID_LINK = 'This link no longer works. Please request a new one.';
const WRONG_PASSWORD = 'This is not the password of this account';

/** The person who opens a link: perhaps signed in, and limited in guessing passwords. */
type Visitor = {
  userId: string | undefined;
  isPasswordRight: (user: UserRow, password: string) => Promise<boolean>;
};

/**
 * The link alone is not enough: otherwise a stranger could register someone's address, and its owner's click would verify
 * the stranger's account. @returns the user's id
 * @throws InvalidError for an invalid link or a wrong password, AppError 403, TooManyRequestsError
 */
export async function verifyEmail(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'rateLimits'>,
  visitor: Visitor,
  { token, password }: VerifyEmailRequest,
): Promise<string> {
  const { db, clock } = context;
  const owner = await findUserTokenOwner(db, 'verify-email', token, clock.now());
  if (!owner) throw invalidLink();
  if (visitor.userId !== owner.id) await requirePassword(visitor, owner, password);
  await db.transaction(async (tx) => {
    const { ownerId } = await consumeToken(context, tx, 'verify-email', token);
    await markEmailVerified(context, tx, ownerId);
  });
  return owner.id;
}

async function requirePassword(
  { isPasswordRight }: Visitor,
  owner: UserRow,
  password: string | undefined,
): Promise<void> {
  if (!password) {
    const message = `Please enter the password of the account for ${owner.email}.`;
    throw new AppError(403, message, { code: PASSWORD_NEEDED, email: owner.email });
  }
  if (!(await isPasswordRight(owner, password)))
    throw new InvalidError(WRONG_PASSWORD, { password: WRONG_PASSWORD });
  if (owner.disabledAt) throw new ForbiddenError(DISABLED_ACCOUNT);
}

/** Does nothing for a verified address. @throws TooManyRequestsError */
export async function requestEmailVerification(
  context: Pick<AppContext, 'db' | 'jobs' | 'rateLimits' | 'mailer'>,
  user: UserRow,
): Promise<void> {
  if (isEmailVerified(context, user)) return;
  const { db, rateLimits } = context;
  await rateLimits.userEmailPerAddress.consume(`verify-email ${user.email.toLowerCase()}`);
  await db.transaction((tx) => enqueueAccountEmail(context, tx, user.id, 'verify-email'));
}

/**
 * Deletes the account of a confirmation link, also of an expired one. @returns the user's id
 * @throws InvalidError once it is verified, and for administrators and disabled accounts
 */
export function disownAccount(
  context: Pick<AppContext, 'db' | 'jobs' | 'mailer'>,
  token: string,
): Promise<string> {
  return retryDeadlock(() =>
    context.db.transaction(async (tx) => {
      const owner = await findUserTokenOwner(tx, 'verify-email', token, null);
      const unverified = owner && (await lockUnverifiedUser(tx, owner.id));
      if (!unverified || isEmailVerified(context, unverified)) throw invalidLink();
      if (unverified.isAdmin || unverified.disabledAt) throw invalidLink();
      await deleteUser(context, tx, unverified.id);
      return unverified.id;
    }),
  );
}

/** @throws InvalidError for an invalid link */
export async function consumeToken(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Tx,
  purpose: UserTokenPurpose,
  token: string,
): Promise<ConsumedToken> {
  await lockUserOfToken(tx, purpose, token);
  const consumed = await consumeUserToken(tx, purpose, token, clock.now());
  if (!consumed || !(await isMakerEntitled(tx, consumed))) throw invalidLink();
  return consumed;
}

export function invalidLink(): InvalidError {
  return new InvalidError(INVALID_LINK, { token: INVALID_LINK });
}

/** Releases the emails to contacts that waited for the verification, and makes ADMIN_EMAIL the first administrator. */
export async function markEmailVerified(
  context: Pick<AppContext, 'config' | 'clock' | 'jobs'>,
  tx: Tx,
  userId: string,
): Promise<UserRow> {
  const { clock, jobs } = context;
  const now = clock.now();
  const verified = { emailVerifiedAt: now, verifyEmailBy: null, deletionWarnedAt: null };
  const user = await grantAdminRole(context, tx, await updateUser(tx, userId, verified));
  await revokeUserTokens(tx, userId, 'verify-email', 'start-again');
  await makeEmailsDue(tx, userId, now);
  await jobs.enqueue(tx, sendEmailsJob, {});
  return user;
}
