import type { Request } from 'express';
import type { SessionData } from 'express-session';
import passport from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import type { AppContext } from '../../platform/context.ts';
import { ForbiddenError, UnauthorizedError } from '../../platform/errors.ts';
import { clientIp } from '../../platform/client-ip.ts';
import { isPasswordRight } from '../users/password.ts';
import { findUserByEmail, type UserRow } from '../users/user-queries.ts';
import { findKnownDevice } from './known-device.ts';
import { toPasswordDigest } from './password-digest.ts';
import { beginAttempt } from './sign-in-slowdown.ts';

const DISABLED_ACCOUNT = 'This account is disabled. Ask the person who runs this album.';

type IdDone = (error: unknown, id: string) => void;
type UserDone = (error: unknown, user: Express.User | false) => void;
type Context = Pick<AppContext, 'config' | 'db' | 'keyedHash' | 'rateLimits' | 'securityLog'>;

/** Passport with one strategy, email and password. Its session holds the user's id and a digest of the password's hash. */
export function createAuthenticator(context: Context): passport.Authenticator {
  const authenticator = new passport.Passport();
  authenticator.use(
    new LocalStrategy(
      { usernameField: 'email', passReqToCallback: true },
      (request, email, password, done) => {
        checkCredentials(context, request, { email, password }).then(
          (user) => done(null, user),
          (error: unknown) => done(error),
        );
      },
    ),
  );
  authenticator.serializeUser((request: Request, user: Express.User, done: IdDone) => {
    request.session.passwordDigest = toPasswordDigest(context, user.passwordHash);
    done(null, user.id);
  });
  // The session store has loaded the user with the session.
  authenticator.deserializeUser((request: Request, id: string, done: UserDone) => {
    const user = request.sessionUser;
    done(null, user?.id === id && hasPasswordOf(request.session, user) ? user : false);
  });
  return authenticator;

  /** Sessions stored by earlier releases have no digest. */
  function hasPasswordOf({ passwordDigest }: Partial<SessionData>, user: UserRow): boolean {
    return passwordDigest === undefined || passwordDigest === toPasswordDigest(context, user.passwordHash);
  }
}

/** Consumes the rate limits before it checks the password, so that concurrent guesses count. Success refunds them. */
async function checkCredentials(
  context: Context,
  request: Request,
  { email, password }: { email: string; password: string },
): Promise<UserRow> {
  const { db, rateLimits, securityLog } = context;
  const ip = clientIp(request);
  const account = `${email.toLowerCase()} ${ip}`;
  await rateLimits.loginPerIp.consume(ip);
  await rateLimits.loginPerUser.consume(account);
  const user = await findUserByEmail(db, email);
  const device = user && findKnownDevice(context, request, user.id);
  const attempt = await beginAttempt(context, device ? `device ${device}` : email.toLowerCase());
  const isRight = await isPasswordRight(user?.passwordHash ?? null, password).catch(
    async (error: unknown) => {
      // Not a guess: the password was not checked.
      await rateLimits.loginPerIp.giveBack(ip);
      await rateLimits.loginPerUser.giveBack(account);
      await attempt.giveBack();
      throw error;
    },
  );
  if (!isRight || !user) {
    securityLog.record('sign-in', 'failure', { request, userId: user?.id });
    throw new UnauthorizedError('Invalid email or password');
  }
  await rateLimits.loginPerIp.giveBack(ip);
  await rateLimits.loginPerUser.reset(account);
  await attempt.succeed();
  if (user.disabledAt) throw new ForbiddenError(DISABLED_ACCOUNT);
  return user;
}
