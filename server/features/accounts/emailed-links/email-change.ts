import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { ChangeEmailRequest, ConfirmEmailChangeRequest } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { violatedUniqueConstraint } from '../../../platform/db/database-errors.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { ConflictError, ForbiddenError, InvalidError } from '../../../platform/errors.ts';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import {
  consumeEmailChange,
  endPendingEmailChanges,
  findEmailChangeOwner,
  findUndoableEmailChange,
  insertEmailChange,
  isEmailReserved,
  undoEmailChangesSince,
} from './email-change-queries.ts';
import { toEmailChangeToken } from '../users/email-change-token.ts';
import { invalidLink, markEmailVerified } from './email-verification.ts';
import { rejectInstallationAddress } from '../users/inbound-email-address.ts';
import { hashPassword } from '../users/passwords/password.ts';
import { enqueueSecurityNotice } from '../users/send-security-notice-job.ts';
import {
  EMAIL_TAKEN,
  findUserByEmail,
  isEmailVerified,
  lockSignedInUser,
  lockUserRow,
  updateUser,
  type UserRow,
} from '../users/user-queries.ts';
import { createResetToken } from '../users/passwords/password-reset-link.ts';
import { endAllAccess } from './secure-account.ts';
import { revokeUserTokens } from '../users/user-token-queries.ts';

const HOUR_MS = 60 * 60 * 1000;
const CONFIRM_LIFETIME_MS = 24 * HOUR_MS;
const UNDO_LIFETIME_MS = 48 * HOUR_MS;
const SAME_EMAIL = 'This is your email address already';

/** Sends a link to the new address, and tells the old one. @throws ConflictError, InvalidError, TooManyRequestsError, UnauthorizedError */
export async function requestEmailChange(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'keyedHash' | 'mailer' | 'rateLimits'>,
  signedIn: UserRow,
  { email: newEmail }: ChangeEmailRequest,
  source: RequestSource,
): Promise<void> {
  const { config, db, clock, rateLimits } = context;
  const ownerId = signedIn.id;
  if (newEmail.toLowerCase() === signedIn.email.toLowerCase())
    throw new InvalidError(SAME_EMAIL, { email: SAME_EMAIL });
  rejectInstallationAddress(config, newEmail, 'email');
  await rateLimits.userEmailPerAddress.consume(`change-email ${ownerId}`);
  await rateLimits.userEmailPerAddress.consume(`confirm-email ${newEmail.toLowerCase()}`);
  const now = clock.now();
  await db.transaction(async (tx) => {
    // Two requests at once: the later one counts.
    const user = await lockSignedInUser(tx, signedIn);
    await endPendingEmailChanges(tx, ownerId, now);
    if (await findUserByEmail(tx, newEmail)) throw emailTaken();
    if (await isEmailReserved(tx, newEmail, { exceptFor: ownerId, now })) throw emailTaken();
    // Back to an earlier address: the one in between may be a thief's, and gets no link that undoes it.
    const isReturn = await isEmailReserved(tx, newEmail, { exceptFor: null, now });
    const canBeUndone = isEmailVerified(context, user) && !isReturn;
    const changeId = uuidv7();
    const tokens = {
      confirm: toEmailChangeToken(context, 'confirm', changeId),
      undo: toEmailChangeToken(context, 'undo', changeId),
    };
    await insertEmailChange(tx, tokens, {
      id: changeId,
      ownerId,
      oldEmail: user.email,
      newEmail,
      expiresAt: new Date(now.getTime() + CONFIRM_LIFETIME_MS),
      undoUntil: canBeUndone ? new Date(now.getTime() + UNDO_LIFETIME_MS) : null,
      createdAt: now,
    });
    const toNew = { userId: ownerId, to: newEmail, notice: 'confirm-email', changeId } as const;
    await enqueueSecurityNotice(context, tx, toNew, source);
    if (!canBeUndone) return;
    const toOld = { userId: ownerId, to: user.email, notice: 'email-change-requested', changeId } as const;
    await enqueueSecurityNotice(context, tx, { ...toOld, otherEmail: newEmail }, source);
  });
}

/**
 * The link alone is not enough: the account's owner may have mistyped the new address.
 * @throws InvalidError for an invalid link, ForbiddenError for another account's, ConflictError if the address was taken
 */
export async function confirmEmailChange(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'mailer'>,
  user: UserRow,
  { token }: ConfirmEmailChangeRequest,
  source: RequestSource,
): Promise<void> {
  const { db, clock } = context;
  const owner = await findEmailChangeOwner(db, token, clock.now());
  if (!owner) throw invalidLink();
  if (owner.id !== user.id)
    throw new ForbiddenError(`This link is for the account of ${owner.email}. Please sign in to it first.`);
  const change = () => db.transaction((tx) => changeEmail(context, tx, user, token, source));
  await retryDeadlock(change).catch(translateTaken);
}

async function changeEmail(
  context: Pick<AppContext, 'config' | 'clock' | 'jobs' | 'mailer'>,
  tx: Tx,
  user: UserRow,
  token: string,
  source: RequestSource,
): Promise<void> {
  const now = context.clock.now();
  const { id: userId, email: oldEmail } = await lockSignedInUser(tx, user);
  const undoUntil = new Date(now.getTime() + UNDO_LIFETIME_MS);
  const change = await consumeEmailChange(tx, token, { now, undoUntil });
  if (!change) throw invalidLink();
  const { id: changeId, newEmail } = change;
  await updateUser(tx, userId, { email: newEmail });
  // After the update, which waits for a concurrent change that frees the address.
  if (await isEmailReserved(tx, newEmail, { exceptFor: userId, now })) throw emailTaken();
  // Links that were sent to the old address.
  await revokeUserTokens(tx, userId, 'verify-email', 'reset-password', 'start-again', 'secure-account');
  await markEmailVerified(context, tx, userId);
  const toNew = { userId, to: newEmail, notice: 'email-is-yours', otherEmail: oldEmail } as const;
  await enqueueSecurityNotice(context, tx, toNew, source);
  if (!change.undoUntil) return;
  const toOld = { userId, to: oldEmail, notice: 'email-changed', otherEmail: newEmail, changeId } as const;
  await enqueueSecurityNotice(context, tx, toOld, source);
}

/** Idempotent. @returns false if none was pending */
export function cancelEmailChange(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  ownerId: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUserRow(tx, ownerId);
    return endPendingEmailChanges(tx, ownerId, clock.now());
  });
}

/**
 * Puts the old address back, also over later changes. The person who changed it may know the password, may have requested
 * links, and may have added passkeys or, shortly before or since, an authenticator app: none of these works afterwards.
 * @returns the token of a link to choose a new password
 * @throws InvalidError for an invalid link
 */
export async function undoEmailChange(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'keyedHash'>,
  token: string,
  source: RequestSource,
): Promise<{ userId: string; resetToken: string }> {
  const { db, clock } = context;
  const now = clock.now();
  const found = await findUndoableEmailChange(db, token, now);
  if (!found) throw invalidLink();
  const { ownerId: userId } = found;
  const passwordHash = await hashPassword(context, randomBytes(32).toString('base64url'));
  const undo = () =>
    db.transaction(async (tx) => {
      await lockUserRow(tx, userId);
      // Again, behind the lock: another tab may have undone it.
      const change = await findUndoableEmailChange(tx, token, now);
      if (!change) throw invalidLink();
      await undoEmailChangesSince(tx, change, now);
      await updateUser(tx, userId, { email: change.oldEmail, passwordHash });
      await revokeUserTokens(tx, userId, 'verify-email', 'reset-password', 'start-again', 'secure-account');
      const since = new Date(change.createdAt.getTime() - UNDO_LIFETIME_MS);
      await endAllAccess(tx, userId, since);
      await markEmailVerified(context, tx, userId);
      const toOld = { userId, to: change.oldEmail, notice: 'email-change-undone' } as const;
      await enqueueSecurityNotice(context, tx, toOld, source);
      return { userId, resetToken: await createResetToken(context, tx, userId) };
    });
  return retryDeadlock(undo).catch(translateTaken);
}

function translateTaken(error: unknown): never {
  throw violatedUniqueConstraint(error) === 'users_email_unique' ? emailTaken() : error;
}

function emailTaken(): ConflictError {
  return new ConflictError(EMAIL_TAKEN, { email: EMAIL_TAKEN });
}
