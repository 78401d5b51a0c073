import type { Request } from 'express';
import { SIGN_IN_EXPIRED } from '#shared/accounts/second-factor';
import type { AppContext } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { findUser, type UserRow } from '../users/user-queries.ts';
import { rejectDisabled } from './reject-disabled.ts';
import { deferred } from './deferred.ts';
import { toPasswordDigest } from './passwords/password-digest.ts';

const LIFETIME_MS = 10 * 60 * 1000;
const EXPIRED = 'Please enter your password again.';

declare module 'express-session' {
  interface SessionData {
    /** After the first factor, before the second. The session has no user yet. */
    pendingSignIn: { userId: string; passwordDigest: string; at: number; confirmsIdentity?: boolean };
  }
}

/** In a new session, against session fixation. `confirmsIdentity`: as for `completeSignIn`. */
export async function startPendingSignIn(
  context: Pick<AppContext, 'clock' | 'keyedHash'>,
  request: Request,
  user: UserRow,
  { confirmsIdentity = true } = {},
): Promise<void> {
  const regenerated = deferred();
  request.session.regenerate(regenerated.done);
  await regenerated.promise;
  request.session.cookie.maxAge = LIFETIME_MS;
  request.session.pendingSignIn = {
    userId: user.id,
    passwordDigest: toPasswordDigest(context, user),
    at: context.clock.now().getTime(),
    confirmsIdentity,
  };
  const saved = deferred();
  request.session.save(saved.done);
  await saved.promise;
}

/** The user who has passed the first factor. @throws AppError 401 after ten minutes or a change of the password, 403 */
export async function findPendingUser(
  context: Pick<AppContext, 'clock' | 'db' | 'keyedHash'>,
  request: Request,
): Promise<{ user: UserRow; confirmsIdentity: boolean }> {
  const pending = request.session.pendingSignIn;
  const isInTime = pending && context.clock.now().getTime() - pending.at < LIFETIME_MS;
  const user = isInTime ? await findUser(context.db, pending.userId) : null;
  if (!pending || !user || toPasswordDigest(context, user) !== pending.passwordDigest)
    throw new AppError(401, EXPIRED, { code: SIGN_IN_EXPIRED });
  rejectDisabled(user);
  // Those of earlier releases have none.
  return { user, confirmsIdentity: pending.confirmsIdentity ?? false };
}
