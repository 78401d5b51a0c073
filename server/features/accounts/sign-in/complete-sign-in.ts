import type { Request, Response } from 'express';
import { BACK_COOKIE } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { UnauthorizedError } from '../../../platform/errors.ts';
import { isWithinLimit } from '../../../platform/limits/rate-limits.ts';
import type { SecurityDetails } from '../../../platform/security/security-events.ts';
import { wakeUser } from './wake-user.ts';
import { notifyOwner } from '../users/send-security-notice-job.ts';
import { findUser, type UserRow } from '../users/user-queries.ts';
import { deferred } from '../sessions/deferred.ts';
import { findKnownDevice, rememberDevice } from '../sessions/known-device.ts';
import { markIdentityConfirmed } from '../sessions/access/confirmed-identity.ts';
import { requestSource, type RequestSource } from '../../../platform/client-info/request-source.ts';
import { deleteExcessSessions, updateSessionUse } from '../sessions/session-queries.ts';

/**
 * The end of each way to sign in, which brings back an account that is asleep. `isNewAccount`: registration has its own event,
 * and its first device is not a surprise. `confirmsIdentity`: false if sensitive changes shall still ask for the password.
 * `details` are for the security log.
 */
export async function completeSignIn(
  context: AppContext,
  request: Request,
  response: Response,
  user: UserRow,
  {
    isNewAccount = false,
    confirmsIdentity = true,
    details = {},
  }: { isNewAccount?: boolean; confirmsIdentity?: boolean; details?: SecurityDetails } = {},
): Promise<void> {
  const source = requestSource(request, context.clock);
  const isBack = await wake(context, user);
  // Passport regenerates the session id, which prevents session fixation.
  const login = deferred();
  request.login(user, login.done);
  await login.promise;
  request.session.renewedAt = source.now.getTime();
  if (confirmsIdentity) markIdentityConfirmed(request, context.clock);
  const save = deferred();
  request.session.save(save.done);
  await save.promise;
  await updateSessionUse(context.db, request.sessionID, { ...source, before: source.now });
  await deleteExcessSessions(context.db, user.id, request.sessionID);
  if (!isNewAccount) {
    context.securityLog.record('sign-in', 'success', { request, details });
    if (!findKnownDevice(context, request, user)) await notifyOfNewDevice(context, user, source);
  }
  if (isBack) {
    context.securityLog.record('deletion-cancelled', 'success', { request });
    // Tells the next page, whichever way it is opened. Not HttpOnly, since that page deletes it.
    response.cookie(BACK_COOKIE, '1', { sameSite: 'lax', secure: context.config.http.isHttps, path: '/' });
  }
  rememberDevice(context, request, response, user);
}

/** @throws UnauthorizedError if it was deleted since the password was checked */
async function wake(context: AppContext, { id, deletionDueAt }: UserRow): Promise<boolean> {
  const isBack = await context.db.transaction((tx) => wakeUser(context, tx, id, 'deletion-cancelled'));
  if (!isBack && deletionDueAt && !(await findUser(context.db, id))) throw new UnauthorizedError();
  return isBack;
}

/** At most some per hour: a browser that forgets its cookies is a new device each time. */
async function notifyOfNewDevice(context: AppContext, user: UserRow, source: RequestSource): Promise<void> {
  if (!(await isWithinLimit(context.rateLimits.userEmailPerAddress, `new-device ${user.id}`))) return;
  await context.db.transaction((tx) => notifyOwner(context, tx, user, 'new-device', source));
}
