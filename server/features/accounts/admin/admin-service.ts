import {
  ADMIN_ASLEEP,
  EMAIL_NOT_VERIFIED,
  LAST_ADMIN,
  NO_LINK_FOR_ADMIN,
  type PasswordResetLink,
  type UpdateAdminUserRequest,
} from '#shared/accounts/admin';
import type { AppContext } from '../../../platform/context.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ConflictError, ForbiddenError, NotFoundError } from '../../../platform/errors.ts';
import { checkUsername, putToSleep } from '../deletion/account-deletion-service.ts';
import { wakeUser } from '../sign-in/wake-user.ts';
import { makeEmailsDue } from '../../deliveries/email-queries.ts';
import { sendEmailsJob } from '../../deliveries/send-emails-job.ts';
import { turnTotpOffForOwner } from '../second-factors/second-factor-service.ts';
import { ADMINS_ONLY } from '../sessions/access/require-admin.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { createPasswordResetLink } from '../users/passwords/password-reset-link.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { findUser, isActive, isEmailVerified, updateUser, type UserRow } from '../users/user-queries.ts';
import { revokeLinksOfAdmins, revokeLinksOfOthers } from '../users/user-token-queries.ts';
import { findAdminUser, type AdminUserRow } from './admin-user-queries.ts';
import { isLastAdmin, lockWithAdmins } from '../users/admin-queries.ts';

const UNKNOWN_USER = 'This person was not found.';

/** @throws ForbiddenError, NotFoundError, ConflictError for the last administrator, or a new one without a verified address */
export async function editUserAsAdmin(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'mailer'>,
  actorId: string,
  userId: string,
  { isAdmin, isDisabled, isAsleep, storageLimitBytes }: UpdateAdminUserRequest,
): Promise<AdminUserRow> {
  await context.db.transaction(async (tx) => {
    const user = await lockForAdmin(tx, actorId, userId, {
      endsRole: isAdmin === false || isDisabled === true,
    });
    if (isAdmin && !user.isAdmin && !isEmailVerified(context, user))
      throw new ConflictError(EMAIL_NOT_VERIFIED);
    if (isAdmin && user.deletionDueAt && isAsleep === undefined) throw new ConflictError(ADMIN_ASLEEP);
    const changes = {
      ...(isAdmin !== undefined && { isAdmin }),
      ...(storageLimitBytes !== undefined && { storageLimitBytes }),
    };
    if (Object.keys(changes).length > 0) await updateUser(tx, userId, changes);
    const changesRole = isAdmin !== undefined && isAdmin !== user.isAdmin;
    const changesAccess = isDisabled !== undefined && isDisabled !== (user.disabledAt !== null);
    if (changesRole || changesAccess) await revokeLinksOfAdmins(tx, userId);
    if (isDisabled === true && !user.disabledAt) await disableUser(context, tx, userId);
    if (isDisabled === false && user.disabledAt) await enableUser(context, tx, userId);
    if (isAsleep === false) await wakeUser(context, tx, userId, 'deletion-cancelled-by-admin');
  });
  return getAdminUser(context, userId);
}

/** Puts it to sleep: its owner can still sign in and keep it, unless it is disabled. @throws as `editUserAsAdmin`, InvalidError */
export async function deleteUserAsAdmin(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs'>,
  actorId: string,
  userId: string,
  username: string,
): Promise<void> {
  await retryDeadlock(() =>
    context.db.transaction(async (tx) => {
      const user = await lockForAdmin(tx, actorId, userId, { endsRole: true });
      checkUsername(user, username);
      await putToSleep(context, tx, user, 'deletion-requested-by-admin');
    }),
  );
}

/**
 * Emails the link to the account's owner: an administrator who had it could sign in as that person. It is handed over only
 * where no email can be sent. Ends the earlier links of administrators, and ends with the actor's role.
 * @throws NotFoundError, ConflictError for an administrator, TooManyRequestsError
 */
export async function createResetLinkAsAdmin(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'baseUrl' | 'mailer' | 'rateLimits'>,
  actorId: string,
  userId: string,
): Promise<PasswordResetLink> {
  const { db, mailer, rateLimits } = context;
  const user = await findUser(db, userId);
  if (!user) throw new NotFoundError(UNKNOWN_USER);
  await rateLimits.resetLinkPerAdmin.consume(actorId);
  // Not the limit of the owner's own requests, which strangers can use up.
  if (!mailer.isEmbedded) await rateLimits.userEmailPerAddress.consume(`reset-link ${user.id}`);
  return db.transaction(async (tx) => {
    const { isAdmin } = await lockForAdmin(tx, actorId, userId, { endsRole: false });
    if (isAdmin) throw new ConflictError(NO_LINK_FOR_ADMIN);
    if (mailer.isEmbedded) return { url: await createPasswordResetLink(context, tx, userId, actorId) };
    await revokeLinksOfOthers(tx, userId);
    await enqueueAccountEmail(context, tx, userId, 'reset-password-by-admin', { createdBy: actorId });
    return { url: null };
  });
}

/** For someone who lost the app and the recovery codes. @returns whether it was on @throws NotFoundError */
export async function turnTotpOffAsAdmin(
  context: Pick<AppContext, 'clock' | 'db' | 'jobs' | 'mailer'>,
  userId: string,
): Promise<boolean> {
  const user = await findUser(context.db, userId);
  if (!user) throw new NotFoundError(UNKNOWN_USER);
  return turnTotpOffForOwner(context, user);
}

/** The actor may have lost the role since the request was checked. */
async function lockForAdmin(
  tx: Tx,
  actorId: string,
  userId: string,
  { endsRole }: { endsRole: boolean },
): Promise<UserRow> {
  const locked = await lockWithAdmins(tx, userId);
  const user = locked.find(({ id }) => id === userId);
  const actor = locked.find(({ id }) => id === actorId);
  if (!actor?.isAdmin || !isActive(actor)) throw new ForbiddenError(ADMINS_ONLY);
  if (!user) throw new NotFoundError(UNKNOWN_USER);
  if (endsRole && isLastAdmin(locked, userId)) throw new ConflictError(LAST_ADMIN);
  return user;
}

async function disableUser({ clock }: Pick<AppContext, 'clock'>, tx: Tx, userId: string): Promise<void> {
  await updateUser(tx, userId, { disabledAt: clock.now() });
  await deleteSessions(tx, userId);
}

/** Releases the emails to contacts that waited. A sign-in during the disabling may have left a session. */
async function enableUser(
  { clock, jobs }: Pick<AppContext, 'clock' | 'jobs'>,
  tx: Tx,
  userId: string,
): Promise<void> {
  await deleteSessions(tx, userId);
  await updateUser(tx, userId, { disabledAt: null });
  await makeEmailsDue(tx, userId, clock.now());
  await jobs.enqueue(tx, sendEmailsJob, {});
}

async function getAdminUser({ db }: Pick<AppContext, 'db'>, id: string): Promise<AdminUserRow> {
  const user = await findAdminUser(db, id);
  if (!user) throw new NotFoundError(UNKNOWN_USER);
  return user;
}
