import { LAST_ADMIN } from '#shared/accounts/admin';
import { DELETION_DELAY_DAYS } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { ConflictError, InvalidError, UnauthorizedError } from '../../../platform/errors.ts';
import { isLastAdmin, lockWithAdmins } from '../users/admin-queries.ts';
import { deleteSessions } from '../sessions/session-queries.ts';
import { enqueueAccountEmail } from '../users/send-account-email-job.ts';
import { updateUser, type UserRow } from '../users/user-queries.ts';
import { revokeLinksOfAdmins } from '../users/user-token-queries.ts';

const DELETION_DELAY_MS = DELETION_DELAY_DAYS * 24 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'db' | 'clock' | 'jobs'>;

/** By its owner. @throws InvalidError for another username, ConflictError for the last administrator, UnauthorizedError */
export async function requestDeletion(context: Context, userId: string, username: string): Promise<void> {
  await retryDeadlock(() =>
    context.db.transaction(async (tx) => {
      const locked = await lockWithAdmins(tx, userId);
      const user = locked.find(({ id }) => id === userId);
      if (!user) throw new UnauthorizedError();
      checkUsername(user, username);
      if (isLastAdmin(locked, userId)) throw new ConflictError(LAST_ADMIN);
      await putToSleep(context, tx, user, 'deletion-requested');
    }),
  );
}

/** @throws InvalidError */
export function checkUsername(user: UserRow, typed: string): void {
  if (user.username === typed) return;
  const message = `Please type ${user.username} to confirm.`;
  throw new InvalidError(message, { username: message });
}

/** Signs the user out everywhere. Idempotent: the first request's date stays. */
export async function putToSleep(
  context: Context,
  tx: Tx,
  { id, deletionDueAt }: UserRow,
  email: 'deletion-requested' | 'deletion-requested-by-admin',
): Promise<void> {
  await deleteSessions(tx, id);
  if (deletionDueAt) return;
  const dueAt = new Date(context.clock.now().getTime() + DELETION_DELAY_MS);
  await updateUser(tx, id, { deletionDueAt: dueAt, deletionWarnedAt: null });
  await revokeLinksOfAdmins(tx, id);
  await enqueueAccountEmail(context, tx, id, email);
}
