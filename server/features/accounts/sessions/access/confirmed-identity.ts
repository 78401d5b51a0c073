import type { Request, RequestHandler } from 'express';
import { IDENTITY_UNCONFIRMED } from '#shared/accounts/session';
import { clientIp } from '../../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../../platform/context.ts';
import { AppError } from '../../../../platform/errors.ts';
import { checkPassword } from '../passwords/check-password.ts';
import { currentUser } from './require-user.ts';

const MAX_AGE_MS = 10 * 60 * 1000;
const NOT_CONFIRMED = 'Please confirm that it is you';
const WRONG_PASSWORD = 'This is not your password';

/** After the user of this session has shown the password or a passkey. */
export function markIdentityConfirmed(request: Request, clock: AppContext['clock']): void {
  request.session.identityConfirmedAt = clock.now().getTime();
}

/** For changes by which a stranger at an open browser could take an account over. @throws AppError 403 */
export function requireConfirmedIdentity(context: Pick<AppContext, 'clock'>): RequestHandler {
  return (request, _response, next) => {
    checkConfirmedIdentity(context, request);
    next();
  };
}

/** @throws AppError 403 */
export function checkConfirmedIdentity({ clock }: Pick<AppContext, 'clock'>, request: Request): void {
  currentUser(request);
  // Sessions stored by earlier releases have none.
  const identityConfirmedAt = request.session.identityConfirmedAt ?? 0;
  if (clock.now().getTime() - identityConfirmedAt > MAX_AGE_MS)
    throw new AppError(403, NOT_CONFIRMED, { code: IDENTITY_UNCONFIRMED });
}

/** @throws AppError 403 for a wrong password, TooManyRequestsError */
export async function confirmByPassword(
  context: Pick<AppContext, 'config' | 'clock' | 'db' | 'rateLimits'>,
  request: Request,
  password: string,
): Promise<void> {
  if (!(await checkOwnPassword(context, request, password)))
    throw new AppError(403, WRONG_PASSWORD, { fields: { password: WRONG_PASSWORD } });
  markIdentityConfirmed(request, context.clock);
}

/** Of the signed-in user. All that ask for it share the limits of guesses. @throws TooManyRequestsError */
export function checkOwnPassword(
  context: Pick<AppContext, 'config' | 'db' | 'rateLimits'>,
  request: Request,
  password: string,
): Promise<boolean> {
  const user = currentUser(request);
  const key = `proof ${user.id}`;
  return checkPassword(context, {
    ip: clientIp(request),
    account: key,
    slowdown: key,
    user,
    password,
  });
}
