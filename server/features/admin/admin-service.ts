import type { PasswordResetLink, UpdateAdminUserRequest } from '#shared/admin';
import type { AppContext } from '../../platform/context.ts';
import { retryDeadlock } from '../../platform/db/retry-deadlock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from '../../platform/errors.ts';
import { makeEmailsDue } from '../deliveries/email-queries.ts';
import { sendEmailsJob } from '../deliveries/send-emails-job.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { deleteUser } from '../users/delete-user.ts';
import { createPasswordResetLink } from '../users/password-reset-link.ts';
import { findUser, isEmailVerified, updateUser, type UserRow } from '../users/user-queries.ts';
import { findAdminUser, lockWithAdmins, type AdminUserRow } from './admin-user-queries.ts';

const UNKNOWN_USER = 'This person was not found.';
const UNVERIFIED = 'Their email address is not confirmed yet.';
const LAST_ADMIN = 'Make somebody else an administrator first.';
const ADMINS_ONLY = 'Only administrators may do this';

/** @throws ForbiddenError, NotFoundError, ConflictError for the last administrator, or a new one without a verified address */
export async function editUserAsAdmin(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs' | 'mailer'>,
  actorId: string,
  userId: string,
  { isAdmin, isDisabled, storageLimitBytes }: UpdateAdminUserRequest,
): Promise<AdminUserRow> {
  await context.db.transaction(async (tx) => {
    const user = await lockForAdmin(tx, actorId, userId, {
      endsRole: isAdmin === false || isDisabled === true,
    });
    if (isAdmin && !user.isAdmin && !isEmailVerified(context, user)) throw new ConflictError(UNVERIFIED);
    const changes = {
      ...(isAdmin !== undefined && { isAdmin }),
      ...(storageLimitBytes !== undefined && { storageLimitBytes }),
    };
    if (Object.keys(changes).length > 0) await updateUser(tx, userId, changes);
    if (isDisabled === true && !user.disabledAt) await disableUser(context, tx, userId);
    if (isDisabled === false && user.disabledAt) await enableUser(context, tx, userId);
  });
  return getUser(context, userId);
}

/** The account is disabled first, so that nothing is added to it while it is deleted. @throws as `editUserAsAdmin`, InvalidError */
export async function deleteUserAsAdmin(
  context: Pick<AppContext, 'db' | 'clock' | 'jobs'>,
  actorId: string,
  userId: string,
  username: string,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    const user = await lockForAdmin(tx, actorId, userId, { endsRole: true });
    if (user.username !== username) {
      const message = `Please type ${user.username} to confirm.`;
      throw new InvalidError(message, { username: message });
    }
    await disableUser(context, tx, userId);
  });
  await retryDeadlock(() => context.db.transaction((tx) => deleteUser(context, tx, userId)));
}

/** @throws NotFoundError */
export async function createResetLinkAsAdmin(
  context: Pick<AppContext, 'db' | 'clock' | 'keyedHash' | 'baseUrl'>,
  userId: string,
): Promise<PasswordResetLink> {
  const user = await findUser(context.db, userId);
  if (!user) throw new NotFoundError(UNKNOWN_USER);
  return createPasswordResetLink(context, user.id);
}

/** The actor may have lost the role since the request was checked. */
async function lockForAdmin(
  tx: Tx,
  actorId: string,
  userId: string,
  { endsRole }: { endsRole: boolean },
): Promise<UserRow> {
  const locked = await lockWithAdmins(tx, userId);
  const admins = locked.filter((user) => user.isAdmin && !user.disabledAt);
  const user = locked.find(({ id }) => id === userId);
  if (!admins.some(({ id }) => id === actorId)) throw new ForbiddenError(ADMINS_ONLY);
  if (!user) throw new NotFoundError(UNKNOWN_USER);
  if (endsRole && admins.every(({ id }) => id === userId)) throw new ConflictError(LAST_ADMIN);
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

async function getUser({ db }: Pick<AppContext, 'db'>, id: string): Promise<AdminUserRow> {
  const user = await findAdminUser(db, id);
  if (!user) throw new NotFoundError(UNKNOWN_USER);
  return user;
}
