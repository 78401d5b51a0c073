import { EMAIL_UNVERIFIED } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import { isEmailVerified, type UserRow } from './user-queries.ts';

const MESSAGE = 'Please confirm your email address first. We sent you a link.';

/** For what costs money: otherwise anyone could spend it by registering invented addresses. @throws AppError 403 */
export function requireVerifiedEmail(
  context: Pick<AppContext, 'mailer'>,
  user: Pick<UserRow, 'emailVerifiedAt'>,
): void {
  if (!isEmailVerified(context, user)) throw new AppError(403, MESSAGE, { code: EMAIL_UNVERIFIED });
}
