import type { Request, RequestHandler } from 'express';
import { IDENTITY_UNCONFIRMED } from '#shared/accounts/session';
import { clientIp } from '../../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../../platform/context.ts';
import { AppError } from '../../../../platform/errors.ts';
import { checkPassword } from '../passwords/check-password.ts';
import { currentUser } from './require-user.ts';

const MAX_AGE_MS = 10 * 60 * 1000;
const UNCONFIRMED = 'Please confirm that it is you';
const WRONG_PASSWORD = 'This is not your password';

/** After the user of this session has shown the password or a passkey. */
export function markProof(request: Request, clock: AppContext['clock']): void {
  request.session.provenAt = clock.now().getTime();
}

/** For changes by which a stranger at an open browser could take an account over. @throws AppError 403 */
export function requireRecentProof(context: Pick<AppContext, 'clock'>): RequestHandler {
  return (request, _response, next) => {
    checkRecentProof(context, request);
    next();
  };
}

/** @throws AppError 403 */
export function checkRecentProof({ clock }: Pick<AppContext, 'clock'>, request: Request): void {
  currentUser(request);
  // Sessions stored by earlier releases have none.
  const provenAt = request.session.provenAt ?? 0;
  if (clock.now().getTime() - provenAt > MAX_AGE_MS)
    throw new AppError(403, UNCONFIRMED, { code: IDENTITY_UNCONFIRMED });
}

/** @throws AppError 403 for a wrong password, TooManyRequestsError */
export async function provePassword(
  context: Pick<AppContext, 'config' | 'clock' | 'db' | 'rateLimits'>,
  request: Request,
  password: string,
): Promise<void> {
  if (!(await checkOwnPassword(context, request, password)))
    throw new AppError(403, WRONG_PASSWORD, { fields: { password: WRONG_PASSWORD } });
  markProof(request, context.clock);
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
