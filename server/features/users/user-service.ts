import { v7 as uuidv7 } from 'uuid';
import type { ChangePasswordRequest, ResetPasswordRequest, UpdateUserRequest } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import { makeMailsDue } from '../deliveries/email-queries.ts';
import { ConflictError, InvalidError } from '../../platform/errors.ts';
import { sendAccountMailJobDefinition, sendMailsJobDefinition } from '../job-catalogue.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { useAccountToken, voidAccountTokens, type AccountTokenPurpose } from './user-token-queries.ts';
import { isEmailVerified } from './email-verification.ts';
import { hashPassword, isPasswordRight } from './password.ts';
import { USERNAME_TAKEN } from './register-user.ts';
import { findUserByEmail, updateUser, type UserRow } from './user-queries.ts';

const LINK_IS_OVER = 'This link no longer works. Please request a new one.';
const WRONG_PASSWORD = 'This is not your current password';

/** @throws ConflictError for a username that is taken */
export async function editUser(
  { db }: Pick<AppContext, 'db'>,
  user: UserRow,
  { username, firstName, lastName }: UpdateUserRequest,
): Promise<UserRow> {
  const changes = {
    ...(username !== undefined && { username }),
    ...(firstName !== undefined && { firstName: firstName || null }),
    ...(lastName !== undefined && { lastName: lastName || null }),
  };
  if (Object.keys(changes).length === 0) return user;
  try {
    return await updateUser(db, user.id, changes);
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'users_username_unique') throw error;
    throw new ConflictError(USERNAME_TAKEN, { username: USERNAME_TAKEN });
  }
}

/** Ends the account's other sessions. @throws InvalidError for a wrong current password, TooManyRequestsError */
export async function changePassword(
  { db, rateLimits }: Pick<AppContext, 'db' | 'rateLimits'>,
  user: UserRow,
  { currentPassword, password }: ChangePasswordRequest,
  sessionId: string,
): Promise<void> {
  const key = `change-password ${user.id}`;
  await rateLimits.loginPerUser.consume(key);
  if (!(await isPasswordRight(user.passwordHash, currentPassword))) {
    throw new InvalidError(WRONG_PASSWORD, { currentPassword: WRONG_PASSWORD });
  }
  await rateLimits.loginPerUser.reset(key);
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    await updateUser(tx, user.id, { passwordHash });
    await voidAccountTokens(tx, user.id, 'reset-password');
    await deleteSessions(tx, user.id, sessionId);
  });
}

/** The same for whoever asks, known or not. @throws TooManyRequestsError */
export async function askForPasswordReset(
  context: Pick<AppContext, 'db' | 'jobs' | 'rateLimits'>,
  email: string,
): Promise<void> {
  await context.rateLimits.userEmailPerAddress.consume(`reset-password ${email.toLowerCase()}`);
  const user = await findUserByEmail(context.db, email);
  // The job finds nobody by a new id. Without it the time of the answer tells which addresses have an account.
  await enqueueAccountMail(context, user ?? { id: uuidv7() }, 'reset-password');
}

/** Ends all of the account's sessions; whoever has the link has the address, too. @throws InvalidError for a link that is over */
export async function resetPassword(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs'>,
  { token, password }: ResetPasswordRequest,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const userId = await useAccountToken(tx, 'reset-password', token, context.clock.now());
    if (!userId) throw new InvalidError(LINK_IS_OVER, { token: LINK_IS_OVER });
    // Only now: hashing is dear, and anyone may call this.
    const passwordHash = await hashPassword(password);
    await updateUser(tx, userId, { passwordHash });
    await markEmailVerified(context, tx, userId);
    await voidAccountTokens(tx, userId, 'reset-password');
    await deleteSessions(tx, userId);
  });
}

/** @throws InvalidError for a link that is over */
export async function verifyEmail(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs'>,
  token: string,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const userId = await useAccountToken(tx, 'verify-email', token, context.clock.now());
    if (!userId) throw new InvalidError(LINK_IS_OVER, { token: LINK_IS_OVER });
    await markEmailVerified(context, tx, userId);
  });
}

/** What waited for it goes out. */
async function markEmailVerified(
  { clock, jobs }: Pick<AppContext, 'clock' | 'jobs'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  const now = clock.now();
  await updateUser(tx, userId, { emailVerifiedAt: now });
  await makeMailsDue(tx, userId, now);
  await jobs.enqueue(tx, sendMailsJobDefinition, {});
}

/** Nothing is sent once it is verified. @throws TooManyRequestsError */
export async function askForVerification(
  context: Pick<AppContext, 'db' | 'jobs' | 'rateLimits' | 'mailer'>,
  user: UserRow,
): Promise<void> {
  if (isEmailVerified(context, user)) return;
  await context.rateLimits.userEmailPerAddress.consume(`verify-email ${user.email.toLowerCase()}`);
  await enqueueAccountMail(context, user, 'verify-email');
}

function enqueueAccountMail(
  { db, jobs }: Pick<AppContext, 'db' | 'jobs'>,
  { id: userId }: Pick<UserRow, 'id'>,
  purpose: AccountTokenPurpose,
): Promise<void> {
  return db.transaction((tx) =>
    jobs.enqueue(tx, sendAccountMailJobDefinition, { userId, purpose, mailId: uuidv7() }),
  );
}
