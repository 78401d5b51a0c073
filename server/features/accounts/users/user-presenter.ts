import type { User } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { toInboundEmailAddress } from './inbound-email-address.ts';
import { isEmailVerified, type UserRow } from './user-queries.ts';

export function presentUser(context: Pick<AppContext, 'config' | 'mailer'>, row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    firstName: row.firstName,
    lastName: row.lastName,
    phoneNumber: row.phoneNumber,
    phoneVerified: row.phoneVerifiedAt !== null,
    emailVerified: isEmailVerified(context, row),
    isAdmin: row.isAdmin,
    // Invited people stay, also those that an earlier release gave a day.
    verifyEmailBy:
      isEmailVerified(context, row) || row.isInvited ? null : (row.verifyEmailBy?.toISOString() ?? null),
    inboundEmail: toInboundEmailAddress(context.config, row),
    createdAt: row.createdAt.toISOString(),
  };
}
