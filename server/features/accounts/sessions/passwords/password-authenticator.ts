import type { Request } from 'express';
import type { SessionData } from 'express-session';
import passport from 'passport';
import { Strategy as LocalStrategy } from 'passport-local';
import type { AppContext } from '../../../../platform/context.ts';
import { UnauthorizedError } from '../../../../platform/errors.ts';
import { findUserByEmail, type UserRow } from '../../users/user-queries.ts';
import { rejectDisabled } from '../reject-disabled.ts';
import { checkSignInPassword } from './check-password.ts';
import { toPasswordDigest } from './password-digest.ts';

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
    request.session.passwordDigest = toPasswordDigest(context, user);
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
    return passwordDigest === undefined || passwordDigest === toPasswordDigest(context, user);
  }
}

async function checkCredentials(
  context: Context,
  request: Request,
  { email, password }: { email: string; password: string },
): Promise<UserRow> {
  const user = await findUserByEmail(context.db, email);
  const isRight = await checkSignInPassword(context, request, { email, user, password });
  if (!isRight || !user) {
    context.securityLog.record('sign-in', 'failure', { request, userId: user?.id });
    throw new UnauthorizedError('Invalid email or password');
  }
  rejectDisabled(user);
  return user;
}
