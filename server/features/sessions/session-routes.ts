import { Router, type Request, type RequestHandler, type Response } from 'express';
import type passport from 'passport';
import { LoginRequest, RegisterRequest, StartAgainRequest } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import { clientIp } from '../../platform/client-ip.ts';
import { isFromThisMachine } from '../../platform/http/local-requests.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { rememberDevice } from './known-device.ts';
import { currentUser, requireUser } from './require-user.ts';
import { checkInvitation } from '../invites/accept-invite.ts';
import { startAgain } from '../users/start-again.ts';
import { registerUser } from '../users/user-service.ts';
import { presentUser } from '../users/user-presenter.ts';
import { deleteSessions } from './session-queries.ts';
import { sessionCookieName, sessionCookieOptions } from './session-middleware.ts';

export function sessionRoutes(context: AppContext & { authenticator: passport.Authenticator }): Router {
  const { rateLimits, securityLog } = context;
  const router = Router();

  router.post('/api/register', async (request, response) => {
    const account = parseBody(request, RegisterRequest);
    const origin = { isFromThisMachine: isFromThisMachine(request) };
    const invitation = await checkInvitation(context, account, origin);
    // Strangers could use these limits up, but invitations always work.
    if (!invitation) {
      await rateLimits.registrationPerIp.consume(clientIp(request), 'Too many new accounts.');
      await rateLimits.registrationPerDay.consume('all', 'Too many new accounts.');
    }
    const user = await securityLog.attempt('registration', { request }, async () => {
      const registered = await registerUser(context, account, { invitation, ...origin });
      await signIn(request, registered);
      return registered;
    });
    if (invitation) securityLog.record('invite-used', 'success', { request });
    response.status(201).json(presentUser(context, user));
  });

  router.post('/api/register/again', async (request, response) => {
    const account = parseBody(request, StartAgainRequest);
    const user = await securityLog.attempt('registration', { request }, async () => {
      const registered = await startAgain(context, account);
      await signIn(request, registered);
      return registered;
    });
    response.status(201).json(presentUser(context, user));
  });

  router.post('/api/login', async (request, response) => {
    request.body = parseBody(request, LoginRequest);
    const user = await authenticate(request, response);
    await signIn(request, user);
    securityLog.record('sign-in', 'success', { request });
    rememberDevice(context, request, response, user.id);
    response.json(presentUser(context, user));
  });

  // The client redirects here when the session has expired.
  router.get('/api/login', (_request, response) => response.redirect(302, '/auth'));

  router.post('/api/logout', async (request, response) => {
    await endSession(request, response);
    if (request.user) securityLog.record('sign-out', 'success', { request });
  });

  router.post('/api/logout/all', requireUser, async (request, response) => {
    await deleteSessions(context.db, currentUser(request).id);
    await endSession(request, response);
    securityLog.record('sign-out-everywhere', 'success', { request });
  });

  return router;

  async function authenticate(request: Request, response: Response): Promise<Express.User> {
    const { promise, done } = deferred<Express.User>();
    const handler = context.authenticator.authenticate('local', { session: false }, done) as RequestHandler;
    await handler(request, response, done);
    return promise;
  }

  /** Passport regenerates the session id on login, which prevents session fixation. */
  async function signIn(request: Request, user: Express.User): Promise<void> {
    const login = deferred();
    request.login(user, login.done);
    await login.promise;
    request.session.renewedAt = context.clock.now().getTime();
    const save = deferred();
    request.session.save(save.done);
    await save.promise;
  }

  async function endSession(request: Request, response: Response): Promise<void> {
    const { promise, done } = deferred();
    request.session.destroy(done);
    await promise;
    response.clearCookie(sessionCookieName(context.config), sessionCookieOptions(context.config));
    // The browser's cache holds private images.
    response.set('Clear-Site-Data', '"cache"').status(204).end();
  }
}

/** A promise and the Node-style callback that resolves or rejects it. */
function deferred<T = void>() {
  let done!: (error: unknown, result?: T) => void;
  const promise = new Promise<T>((resolve, reject) => {
    done = (error, result) => (error ? reject(toError(error)) : resolve(result as T));
  });
  return { promise, done };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
