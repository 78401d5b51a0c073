import {
  LINK_SENT,
  type StartAgainPreview,
  type StartAgainPreviewRequest,
  type StartAgainRequest,
} from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { violatedUniqueConstraint } from '../../../platform/db/database-errors.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { AppError, ConflictError } from '../../../platform/errors.ts';
import type { SecuritySource } from '../../../platform/logging/security-log.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { deleteUser } from '../deletion/delete-user.ts';
import { consumeToken, invalidLink, markEmailVerified } from '../emailed-links/email-verification.ts';
import { hashPassword, rejectWeakPassword } from '../users/passwords/password.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { countAlbum, deleteSetup, lockUnverifiedUser } from '../emailed-links/unverified-user-queries.ts';
import { createUser, updateUser, type UserRow } from '../users/user-queries.ts';
import { findUserTokenOwner, revokeUserTokens } from '../users/user-token-queries.ts';

const ADDRESS_UNVERIFIED =
  'This address was used here before, but never confirmed. We sent it a link to start your album.';
const NEVER_EMPTY = 'This account runs the album, so it cannot start empty. Please keep its pets and photos.';
export const USERNAME_TAKEN = 'This username is already taken';

/** For a registration with the address of an unverified account. Changes nothing in that account. */
export async function sendStartAgainLink(
  context: Pick<AppContext, 'db' | 'jobs' | 'rateLimits'>,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
): Promise<never> {
  await context.rateLimits.userEmailPerAddress.consume(`start-again ${email.toLowerCase()}`);
  await context.db.transaction((tx) => enqueueAccountEmail(context, tx, id, 'start-again'));
  throw new AppError(409, ADDRESS_UNVERIFIED, { code: LINK_SENT, fields: { email: ADDRESS_UNVERIFIED } });
}

/** @throws InvalidError for an invalid link */
export async function previewStartAgain(
  { db, clock, securityLog }: Pick<AppContext, 'db' | 'clock' | 'securityLog'>,
  { token }: StartAgainPreviewRequest,
  request: NonNullable<SecuritySource['request']>,
): Promise<StartAgainPreview> {
  const owner = await findUserTokenOwner(db, 'start-again', token, clock.now());
  if (!owner) securityLog.record('unknown-link', 'failure', { request, details: { of: 'start-again' } });
  if (!owner || owner.disabledAt) throw invalidLink();
  return countAlbum(db, owner.id);
}

/** @throws InvalidError for an invalid link or a weak password, ConflictError for a taken username or an administrator's empty album */
export async function startAgain(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs'>,
  { token, username, password, firstName, lastName, keepsPhotos }: StartAgainRequest,
): Promise<UserRow> {
  try {
    return await retryDeadlock(() =>
      context.db.transaction(async (tx) => {
        const { ownerId } = await consumeToken(context, tx, 'start-again', token);
        const old = await lockUnverifiedUser(tx, ownerId);
        if (!old || old.disabledAt) throw invalidLink();
        // It would lose the role, perhaps as the last administrator.
        if (old.isAdmin && !keepsPhotos) throw new ConflictError(NEVER_EMPTY, { keepsPhotos: NEVER_EMPTY });
        const { email } = old;
        await rejectWeakPassword(password, { email, username, firstName, lastName });
        const passwordHash = await hashPassword(context, password);
        const account = { username, firstName: firstName || null, lastName: lastName || null, passwordHash };
        const id = keepsPhotos ? old.id : await replaceUser(context, tx, old, account);
        if (keepsPhotos) {
          await removeUnverifiedSetup(context, tx, id);
          await updateUser(tx, id, account);
        }
        return markEmailVerified(context, tx, id);
      }),
    );
  } catch (error) {
    if (violatedUniqueConstraint(error) !== 'users_username_unique') throw error;
    throw new ConflictError(USERNAME_TAKEN, { username: USERNAME_TAKEN });
  }
}

/**
 * The set-up from before the address was verified goes, with all sessions: a stranger may have registered it. Pets and photos
 * stay. False for a verified address.
 */
export async function removeUnverifiedSetup(
  { clock }: Pick<AppContext, 'clock'>,
  tx: Tx,
  userId: string,
): Promise<boolean> {
  if (!(await lockUnverifiedUser(tx, userId))) return false;
  await deleteSetup(tx, userId, clock.now());
  await revokeUserTokens(tx, userId, 'verify-email', 'reset-password', 'start-again');
  await deleteSessions(tx, userId);
  return true;
}

async function replaceUser(
  context: Pick<AppContext, 'jobs'>,
  tx: Tx,
  { id: oldId, email }: UserRow,
  account: Pick<UserRow, 'username' | 'firstName' | 'lastName' | 'passwordHash'>,
): Promise<string> {
  await deleteUser(context, tx, oldId);
  const { id } = await createUser(tx, { ...account, email });
  return id;
}
