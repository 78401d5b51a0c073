import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { recordAdminChangeJob } from './record-admin-change-job.ts';
import { findUserByEmail, isActive, updateUser, type UserRow } from './user-queries.ts';
import { hasAdmins } from './admin-queries.ts';

/** ADMIN_EMAIL may be set after its address was verified. */
export async function promoteAdminEmail(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs'>,
): Promise<void> {
  const { adminEmail } = context.config.access;
  if (!adminEmail) return;
  await context.db.transaction(async (tx) => {
    const user = await findUserByEmail(tx, adminEmail);
    if (user) await grantAdminRole(context, tx, user);
  });
}

/**
 * To ADMIN_EMAIL. Registering that address is not enough: anyone could. Only while there is no administrator: others may have
 * taken the role away.
 */
export async function grantAdminRole(
  { config, clock, jobs }: Pick<AppContext, 'config' | 'clock' | 'jobs'>,
  tx: Tx,
  user: UserRow,
): Promise<UserRow> {
  const isAdminEmail = config.access.adminEmail?.toLowerCase() === user.email.toLowerCase();
  if (!isAdminEmail || !user.emailVerifiedAt || !isActive(user) || (await hasAdmins(tx))) return user;
  await jobs.enqueue(tx, recordAdminChangeJob, {
    event: 'account-edited',
    by: 'ADMIN_EMAIL',
    userId: user.id,
    at: clock.now().toISOString(),
    isAdmin: true,
  });
  return updateUser(tx, user.id, { isAdmin: true });
}
