import type { AppContext } from '../../platform/context.ts';
import type { UserRow } from './user-queries.ts';

/** Whether this address is its account's. Mail that stays on this machine needs no proof. */
export function isEmailVerified(
  { mailer }: Pick<AppContext, 'mailer'>,
  { emailVerifiedAt }: Pick<UserRow, 'emailVerifiedAt'>,
): boolean {
  return mailer.isEmbedded || emailVerifiedAt !== null;
}
