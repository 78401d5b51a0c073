import type { User } from '#shared/user';
import type { AppContext } from '../context.ts';
import { isEmailVerified } from './email-verification.ts';
import type { UserRow } from './user-queries.ts';

export function presentUser(context: Pick<AppContext, 'mailer'>, row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    firstName: row.firstName,
    lastName: row.lastName,
    phoneNumber: row.phoneNumber,
    phoneVerified: row.phoneVerifiedAt !== null,
    emailVerified: isEmailVerified(context, row),
    inboundEmail: null,
    createdAt: row.createdAt.toISOString(),
  };
}
