import type { AdminUser } from '#shared/admin';
import type { Config } from '../../platform/config/config.ts';
import type { AdminUserRow } from './admin-user-queries.ts';

export function presentAdminUser({ limits }: Pick<Config, 'limits'>, row: AdminUserRow): AdminUser {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    isAdmin: row.isAdmin,
    isDisabled: row.disabledAt !== null,
    isLastAdmin: row.isLastAdmin,
    emailVerifiedAt: row.emailVerifiedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    storageBytes: row.storageBytes,
    storageLimitBytes: row.storageLimitBytes ?? limits.storageBytesPerUser,
    hasOwnStorageLimit: row.storageLimitBytes !== null,
  };
}
