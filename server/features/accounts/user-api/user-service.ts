import type {
  ChangePasswordRequest,
  RegisterRequest,
  ResetPasswordRequest,
  UpdateUserRequest,
} from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { violatedUniqueConstraint } from '../../../platform/db/database-errors.ts';
import { ConflictError, InvalidError } from '../../../platform/errors.ts';
import { acceptInvitation, type UsableInvitation } from '../invitations/accept-invitation.ts';
import { deletePasskeys } from '../passkeys/passkey-queries.ts';
import { deleteIdentities } from '../oidc/oidc-queries.ts';
import type { RegistrationLimits } from './registration-limits.ts';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import { toPasswordDigest } from '../sessions/passwords/password-digest.ts';
import { deleteSessions, replacePasswordDigest } from '../sessions/session-queries.ts';
import { endPendingEmailChanges, isEmailReserved } from '../emailed-links/email-change-queries.ts';
import { consumeToken, markEmailVerified } from '../emailed-links/email-verification.ts';
import { hashPassword, rejectWeakPassword } from '../users/passwords/password.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { enqueueSecurityNotice, notifyOwner } from '../users/send-security-notice-job.ts';
import { removeUnverifiedSetup, sendStartAgainLink, USERNAME_TAKEN } from './start-again.ts';
import {
  createUser,
  EMAIL_TAKEN,
  findUserByEmail,
  isEmailVerified,
  isUsernameTaken,
  lockUserRow,
  replacePasswordHash,
  updateUser,
  type UserRow,
} from '../users/user-queries.ts';
import { revokeHandedOverLinks, revokeUserTokens, type ConsumedToken } from '../users/user-token-queries.ts';

const WRONG_PASSWORD = 'This is not your current password';
/** How long an account lasts whose address is not verified. */
const UNVERIFIED_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

export async function registerUser(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'mailer' | 'rateLimits'>,
  request: RegisterRequest,
  { invitation, limits }: { invitation: UsableInvitation | null; limits: RegistrationLimits },
): Promise<UserRow> {
  const { db } = context;
  const fields: Record<string, string> = {};
  // Before the lookup: it is not counted, so that it must not tell which addresses have an account.
  await rejectWeakPassword(request.password, request);
  const existing = await findUserByEmail(db, request.email);
  if (existing) fields['email'] = EMAIL_TAKEN;
  if (await isUsernameTaken(db, request.username)) fields['username'] = USERNAME_TAKEN;
  if (Object.keys(fields).length > 0) await limits.countTaken();
  if (existing && !existing.disabledAt && !isEmailVerified(context, existing))
    return sendStartAgainLink(context, existing);
  if (Object.keys(fields).length > 0) throw conflict(fields);
  const passwordHash = await hashPassword(context, request.password);
  const create = () =>
    db.transaction(async (tx) => {
      const { verifiesEmail, isInvited, isAdmin } = await acceptInvitation(context, tx, invitation);
      const user = await createUser(tx, {
        email: request.email,
        username: request.username,
        firstName: request.firstName || null,
        lastName: request.lastName || null,
        passwordHash,
        isAdmin,
        isInvited,
        emailVerifiedAt: verifiesEmail ? context.clock.now() : null,
        verifyEmailBy: verifiesEmail || isInvited || isAdmin ? null : toVerificationDeadline(context),
      });
      // After the insert, which waits for a concurrent change that frees the address.
      const { id, email } = user;
      if (await isEmailReserved(tx, email, { exceptFor: id, now: context.clock.now() }))
        throw conflict({ email: EMAIL_TAKEN });
      if (!isEmailVerified(context, user)) await enqueueAccountEmail(context, tx, user.id, 'verify-email');
      return user;
    });
  try {
    return await limits.countAccount(create);
  } catch (error) {
    // A concurrent registration won the race, perhaps this form's own double click.
    if (error instanceof ConflictError || violatedUniqueConstraint(error)) await limits.countTaken();
    const constraint = violatedUniqueConstraint(error);
    if (constraint === 'users_email_unique') throw conflict({ email: EMAIL_TAKEN });
    if (constraint === 'users_username_unique') throw conflict({ username: USERNAME_TAKEN });
    throw error;
  }
}

/** Accounts without a mail server stay. */
function toVerificationDeadline({ clock, mailer }: Pick<AppContext, 'clock' | 'mailer'>): Date | null {
  if (mailer.isEmbedded) return null;
  return new Date(clock.now().getTime() + UNVERIFIED_LIFETIME_MS);
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

/** Signs the user out everywhere else. @throws InvalidError for a wrong current or a weak password, TooManyRequestsError */
export async function changePassword(
  context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'keyedHash' | 'mailer' | 'rateLimits'>,
  user: UserRow,
  { currentPassword, password }: ChangePasswordRequest,
  {
    isPasswordRight,
    sessionId,
    source,
  }: { isPasswordRight: (password: string) => Promise<boolean>; sessionId: string; source: RequestSource },
): Promise<UserRow> {
  const { db } = context;
  if (!(await isPasswordRight(currentPassword))) throw wrongPassword();
  await rejectWeakPassword(password, user);
  await context.rateLimits.passwordChangePerUser.consume(user.id, 'Your password was changed too often.');
  const passwordHash = await hashPassword(context, password);
  return retryDeadlock(() =>
    db.transaction(async (tx) => {
      const changed = await replacePasswordHash(tx, user, passwordHash);
      // A reset came first.
      if (!changed) throw wrongPassword();
      // Emailed links outrank the password: a thief who knows it could otherwise keep the owner from each of them.
      if (isEmailVerified(context, changed)) await revokeHandedOverLinks(tx, user.id);
      else await revokeUserTokens(tx, user.id, 'reset-password');
      await endPendingEmailChanges(tx, user.id, source.now);
      await deleteSessions(tx, user.id, sessionId);
      await replacePasswordDigest(tx, sessionId, toPasswordDigest(context, changed));
      await notifyOwner(context, tx, changed, 'password-changed', source);
      return changed;
    }),
  );
}

function wrongPassword(): InvalidError {
  return new InvalidError(WRONG_PASSWORD, { currentPassword: WRONG_PASSWORD });
}

/**
 * Signs the user out everywhere. What was set up while the address was unverified is removed; an emailed link verifies it.
 * @throws InvalidError for an invalid link or a weak password
 */
export function resetPassword(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'mailer'>,
  { token, password }: ResetPasswordRequest,
  source: RequestSource,
): Promise<{ user: UserRow; isSetupRemoved: boolean; link: ResetLinkKind }> {
  let passwordHash: string | undefined;
  return retryDeadlock(() =>
    context.db.transaction(async (tx) => {
      const consumed = await consumeToken(context, tx, 'reset-password', token);
      const { ownerId: userId, isEmailed } = consumed;
      // After the token is checked: hashing is expensive, and this endpoint is public.
      await rejectWeakPassword(password, await lockUserRow(tx, userId));
      passwordHash ??= await hashPassword(context, password);
      // With the dev outbox all addresses count as verified.
      const isSetupRemoved = !context.mailer.isEmbedded && (await removeUnverifiedSetup(context, tx, userId));
      await updateUser(tx, userId, { passwordHash });
      // Someone who knew the old password may have added one.
      await deletePasskeys(tx, userId);
      if (isEmailed) await markEmailVerified(context, tx, userId);
      await revokeUserTokens(tx, userId, 'reset-password');
      await deleteSessions(tx, userId);
      // The person who reset it may not be the one who joined them, or who asked for another address.
      await deleteIdentities(tx, userId);
      await endPendingEmailChanges(tx, userId, source.now);
      const user = await lockUserRow(tx, userId);
      const link = toLinkKind(consumed);
      if (link === 'own') await notifyOwner(context, tx, user, 'password-changed', source);
      // As the email when it was made, also to an address that is not verified.
      else
        await enqueueSecurityNotice(
          context,
          tx,
          { userId, to: user.email, notice: 'reset-link-used' },
          source,
        );
      return { user, isSetupRemoved, link };
    }),
  );
}

/** Who made a link for a new password: its owner, an administrator, or someone at the machine. */
type ResetLinkKind = 'own' | 'administrator' | 'command';

function toLinkKind({ isEmailed, createdBy }: ConsumedToken): ResetLinkKind {
  if (createdBy !== null) return 'administrator';
  return isEmailed ? 'own' : 'command';
}
