import type { AdminUser } from '#shared/accounts/admin';
import type { AppContext } from '../../../platform/context.ts';
import { isEmailVerified } from '../users/user-queries.ts';
import type { AdminUserRow } from './admin-user-queries.ts';

export function presentAdminUser(
  context: Pick<AppContext, 'config' | 'mailer'>,
  row: AdminUserRow,
): AdminUser {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    isAdmin: row.isAdmin,
    isDisabled: row.disabledAt !== null,
    deletionDueAt: row.deletionDueAt?.toISOString() ?? null,
    isLastAdmin: row.isLastAdmin,
    isTotpOn: row.isTotpOn,
    emailVerified: isEmailVerified(context, row),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    storageBytes: row.storageBytes,
    storageLimitBytes: row.storageLimitBytes ?? context.config.limits.storageBytesPerUser,
    hasOwnStorageLimit: row.storageLimitBytes !== null,
  };
}
