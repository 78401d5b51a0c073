import type { Request } from 'express';
import { clientIp } from '../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../platform/context.ts';
import { InvalidError } from '../../../platform/errors.ts';
import { limitGuesses } from '../sessions/passwords/check-password.ts';
import { findKnownDevice } from '../sessions/known-device.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import { currentUser } from '../sessions/access/require-user.ts';
import type { UserRow } from '../users/user-queries.ts';
import { checkCode, isTotpOn } from './check-code.ts';
import type { CheckedCode } from './checked-code.ts';

const MISSING = 'Please enter your code';

/** Of the signed-in user, if signing in needs a code. @throws InvalidError for a missing or wrong code, TooManyRequestsError */
export async function requireCode(
  context: AppContext,
  request: Request,
  code: string | undefined,
): Promise<void> {
  const user = currentUser(request);
  if (!(await isTotpOn(context, user.id))) return;
  if (!code?.trim()) throw new InvalidError(MISSING, { code: MISSING });
  const result = await checkCodeOfRequest(context, request, user, code);
  if (!result.isRight) throw new InvalidError(result.message, { code: result.message });
}

/**
 * As `checkCode`. Guesses are limited as those of passwords: others cannot slow down the owner at a known device.
 * @throws TooManyRequestsError
 */
export function checkCodeOfRequest(
  context: AppContext,
  request: Request,
  user: UserRow,
  code: string,
): Promise<CheckedCode> {
  const { id } = user;
  const ip = clientIp(request);
  const device = findKnownDevice(context, request, user);
  const slowdown = device ? `code device ${device}` : `code ${id}`;
  return limitGuesses(context, { ip, account: `code ${id} ${ip}`, slowdown }, () =>
    checkCode(context, user, code, requestSource(request, context.clock)),
  );
}
