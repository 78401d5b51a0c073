import { Router, type Request, type RequestHandler, type Response } from 'express';
import type passport from 'passport';
import { LoginRequest, RegisterRequest } from '#shared/user';
import type { AppContext } from '../context.ts';
import { parseBody } from '../http/validate.ts';
import { currentUser, requireUser } from '../http/require-user.ts';
import { registerUser } from '../users/register-user.ts';
import { presentUser } from '../users/user-presenter.ts';
import type { UserRow } from '../users/user-queries.ts';
import { sessionCookieName, sessionCookieOptions } from './session-cookie.ts';

/** Signing up, in and out, and who is signed in. */
export function sessionRoutes(
  context: Pick<AppContext, 'config' | 'db' | 'clock'> & { authenticator: passport.Authenticator },
): Router {
  const router = Router();

  router.get('/api/user', requireUser, (request, response) => {
    response.json(presentUser(currentUser(request)));
  });

  router.post('/api/register', async (request, response) => {
    const user = await registerUser(context, parseBody(request, RegisterRequest));
    await signIn(request, user);
    response.status(201).json(presentUser(user));
  });

  router.post('/api/login', async (request, response) => {
    request.body = parseBody(request, LoginRequest);
    const user = await authenticate(request, response);
    await signIn(request, user);
    response.json(presentUser(user));
  });

  // The address that a lost session leads to.
  router.get('/api/login', (_request, response) => response.redirect(302, '/auth'));

  router.post('/api/logout', async (request, response) => {
    await destroySession(request);
    response.clearCookie(sessionCookieName(context.config), sessionCookieOptions(context.config));
    // The pictures in the browser's cache are for the account's eyes only.
    response.set('Clear-Site-Data', '"cache"').status(204).end();
  });

  return router;

  function authenticate(request: Request, response: Response): Promise<UserRow> {
    return new Promise((resolve, reject) => {
      const callback = (error: unknown, user: UserRow) => (error ? reject(error as Error) : resolve(user));
      const handler = context.authenticator.authenticate('local', { session: false }, callback) as RequestHandler;
      void handler(request, response, reject);
    });
  }

  /** Under a new session id: one that somebody planted before is worth nothing. */
  function signIn(request: Request, user: UserRow): Promise<void> {
    return new Promise((resolve, reject) => {
      request.login(user, (error: unknown) => {
        if (error) return reject(error as Error);
        request.session.renewedAt = context.clock.now().getTime();
        request.session.save((failure: unknown) => (failure ? reject(failure as Error) : resolve()));
      });
    });
  }
}

function destroySession(request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    request.session.destroy((error: unknown) => (error ? reject(error as Error) : resolve()));
  });
}
