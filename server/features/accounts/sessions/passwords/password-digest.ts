import type { AppContext } from '../../../../platform/context.ts';
import { toPasswordKey, type UserRow } from '../../users/user-queries.ts';

/** Binds a session to the password it was created with: a sign-in may store its session after the password was changed. */
export function toPasswordDigest(
  { keyedHash }: Pick<AppContext, 'keyedHash'>,
  user: Pick<UserRow, 'passwordHash' | 'boundPasswordHash'>,
): string {
  return keyedHash('session-password', toPasswordKey(user));
}
