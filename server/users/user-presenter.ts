import type { User } from '#shared/user';
import type { UserRow } from './user-queries.ts';

export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    firstName: row.firstName,
    lastName: row.lastName,
    phoneNumber: row.phoneNumber,
    phoneVerified: row.phoneVerifiedAt !== null,
    emailVerified: row.emailVerifiedAt !== null,
    inboundEmail: null,
    createdAt: row.createdAt.toISOString(),
  };
}
