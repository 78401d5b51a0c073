import { v7 as uuidv7 } from 'uuid';
import type {
  ChangePasswordRequest,
  RegisterRequest,
  ResetPasswordRequest,
  UpdateUserRequest,
} from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import { ConflictError, InvalidError } from '../../platform/errors.ts';
import { makeEmailsDue } from '../deliveries/email-queries.ts';
import { sendEmailsJob } from '../deliveries/send-emails-job.ts';
import { acceptInvitation, type Invitation } from '../invites/accept-invite.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { hashPassword, isPasswordRight } from './password.ts';
import { isAdminEmail } from './admin-email.ts';
import { sendAccountEmailJob } from './send-account-email-job.ts';
import {
  createUser,
  findUserByEmail,
  isEmailVerified,
  isFirstUser,
  isUsernameTaken,
  updateUser,
  type UserRow,
} from './user-queries.ts';
import { consumeUserToken, revokeUserTokens, type UserTokenPurpose } from './user-token-queries.ts';

const EMAIL_TAKEN = 'An account with this email address already exists';
const USERNAME_TAKEN = 'This username is already taken';
const INVALID_LINK = 'This link no longer works. Please request a new one.';
const WRONG_PASSWORD = 'This is not your current password';

export async function registerUser(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'mailer'>,
  request: RegisterRequest,
  { invitation, isFromThisMachine }: { invitation: Invitation | null; isFromThisMachine: boolean },
): Promise<UserRow> {
  const { config, db, jobs, mailer } = context;
  const fields: Record<string, string> = {};
  if (await findUserByEmail(db, request.email)) fields['email'] = EMAIL_TAKEN;
  if (await isUsernameTaken(db, request.username)) fields['username'] = USERNAME_TAKEN;
  if (Object.keys(fields).length > 0) throw conflict(fields);
  try {
    const passwordHash = await hashPassword(request.password);
    return await db.transaction(async (tx) => {
      const isFirst = config.http.isOnlyLocal && isFromThisMachine && (await isFirstUser(tx));
      const { provesEmail, isAdmin } = await acceptInvitation(context, tx, invitation, {
        isFirstUser: isFirst,
      });
      const user = await createUser(tx, {
        email: request.email,
        username: request.username,
        firstName: request.firstName || null,
        lastName: request.lastName || null,
        passwordHash,
        isAdmin: isAdmin || (provesEmail && isAdminEmail(config, request.email)),
        emailVerifiedAt: provesEmail ? context.clock.now() : null,
      });
      if (!isEmailVerified({ mailer }, user)) await enqueueAccountEmail(jobs, tx, user.id, 'verify-email');
      return user;
    });
  } catch (error) {
    // A concurrent registration won the race, perhaps this form's own double click.
    const constraint = violatedUniqueConstraint(error);
    if (constraint === 'users_email_unique') throw conflict({ email: EMAIL_TAKEN });
    if (constraint === 'users_username_unique') throw conflict({ username: USERNAME_TAKEN });
    throw error;
  }
}

function conflict(fields: Record<string, string>): ConflictError {
  return new ConflictError(Object.values(fields).join('. '), fields);
}

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
    throw conflict({ username: USERNAME_TAKEN });
  }
}

/** Signs the user out everywhere else. @throws InvalidError for a wrong current password, TooManyRequestsError */
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
    await revokeUserTokens(tx, user.id, 'reset-password');
    await deleteSessions(tx, user.id, sessionId);
  });
}

/** @returns the user's id, for the security log only */
export async function requestPasswordReset(
  { db, jobs, rateLimits }: Pick<AppContext, 'db' | 'jobs' | 'rateLimits'>,
  email: string,
): Promise<string | null> {
  await rateLimits.userEmailPerAddress.consume(`reset-password ${email.toLowerCase()}`);
  const user = await findUserByEmail(db, email);
  // For an unknown address the job does nothing. Without it, the response time would reveal which addresses exist.
  await db.transaction((tx) => enqueueAccountEmail(jobs, tx, user?.id ?? uuidv7(), 'reset-password'));
  return user?.id ?? null;
}

/** Signs the user out everywhere. An emailed link also proves the address. @throws InvalidError for an invalid link */
export function resetPassword(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs'>,
  { token, password }: ResetPasswordRequest,
): Promise<string> {
  return context.db.transaction(async (tx) => {
    const { ownerId: userId, isEmailed } = await consumeToken(context, tx, 'reset-password', token);
    // After the token is checked: hashing is expensive, and this endpoint is public.
    const passwordHash = await hashPassword(password);
    await updateUser(tx, userId, { passwordHash });
    if (isEmailed) await markEmailVerified(context, tx, userId);
    await revokeUserTokens(tx, userId, 'reset-password');
    await deleteSessions(tx, userId);
    return userId;
  });
}

/** @returns the user's id @throws InvalidError for an invalid link */
export function verifyEmail(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs'>,
  token: string,
): Promise<string> {
  return context.db.transaction(async (tx) => {
    const { ownerId: userId } = await consumeToken(context, tx, 'verify-email', token);
    await markEmailVerified(context, tx, userId);
    return userId;
  });
}

/** Does nothing for a verified address. @throws TooManyRequestsError */
export async function requestEmailVerification(
  context: Pick<AppContext, 'db' | 'jobs' | 'rateLimits' | 'mailer'>,
  user: UserRow,
): Promise<void> {
  if (isEmailVerified(context, user)) return;
  const { db, jobs, rateLimits } = context;
  await rateLimits.userEmailPerAddress.consume(`verify-email ${user.email.toLowerCase()}`);
  await db.transaction((tx) => enqueueAccountEmail(jobs, tx, user.id, 'verify-email'));
}

async function consumeToken(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Tx,
  purpose: UserTokenPurpose,
  token: string,
): Promise<{ ownerId: string; isEmailed: boolean }> {
  const consumed = await consumeUserToken(tx, purpose, token, clock.now());
  if (!consumed) throw new InvalidError(INVALID_LINK, { token: INVALID_LINK });
  return consumed;
}

/** Releases the emails to contacts that waited for the verification, and makes ADMIN_EMAIL an administrator. */
async function markEmailVerified(
  { config, clock, jobs }: Pick<AppContext, 'config' | 'clock' | 'jobs'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  const now = clock.now();
  const { email } = await updateUser(tx, userId, { emailVerifiedAt: now });
  if (isAdminEmail(config, email)) await updateUser(tx, userId, { isAdmin: true });
  await makeEmailsDue(tx, userId, now);
  await jobs.enqueue(tx, sendEmailsJob, {});
}

function enqueueAccountEmail(
  jobs: AppContext['jobs'],
  tx: Tx,
  userId: string,
  purpose: UserTokenPurpose,
): Promise<void> {
  return jobs.enqueue(tx, sendAccountEmailJob, { userId, purpose, mailId: uuidv7() });
}
