import { EMAIL_UNVERIFIED } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { isLimitedUntilVerified, type UserRow } from './user-queries.ts';

const UNVERIFIED = 'Please confirm your email address first. We sent you a link.';
const NO_MAIL_SERVER =
  'This costs money, so it is for invited people only while this album cannot send email. Ask the person who runs it to set up a mail server (SMTP_URL).';

/** For what strangers could abuse under an invented address. @throws AppError 403 */
export function requireVerifiedEmail(
  { config }: Pick<AppContext, 'config'>,
  user: Pick<UserRow, 'emailVerifiedAt' | 'isAdmin' | 'isInvited'>,
): void {
  if (isLimitedUntilVerified(config, user)) throw new AppError(403, UNVERIFIED, { code: EMAIL_UNVERIFIED });
}

/** A user, and whether the request comes from the machine that the app runs on. */
export type BillableUser = Pick<UserRow, 'emailVerifiedAt' | 'isAdmin' | 'isInvited'> & {
  isFromThisMachine: boolean;
};

/**
 * For what costs money: otherwise anyone could spend it by registering invented addresses. Without a mail server no address
 * can be verified; then it is for administrators, for people whom they invited, and on an installation that only this
 * machine can open. @throws AppError 403
 */
export function requireBillableAccess(
  { config, mailer }: Pick<AppContext, 'config' | 'mailer'>,
  { emailVerifiedAt, isAdmin, isInvited, isFromThisMachine }: BillableUser,
): void {
  if (emailVerifiedAt) return;
  if (!mailer.isEmbedded) throw new AppError(403, UNVERIFIED, { code: EMAIL_UNVERIFIED });
  const isAtOwnMachine = config.http.isOnlyLocal && isFromThisMachine;
  if (!isAdmin && !isInvited && !isAtOwnMachine) throw new AppError(403, NO_MAIL_SERVER);
}
