import { Router, type Request, type RequestHandler, type Response } from 'express';
import type passport from 'passport';
import type { SecondFactorNeeded } from '#shared/accounts/second-factor';
import {
  LoginRequest,
  RegisterRequest,
  StartAgainPreviewRequest,
  StartAgainRequest,
} from '#shared/accounts/user';
import { clientIp } from '../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../platform/context.ts';
import { parseBody } from '../../../platform/http/validate.ts';
import { checkInvitation } from '../invitations/accept-invitation.ts';
import { isTotpOn } from '../second-factors/check-code.ts';
import { deferred } from '../sessions/deferred.ts';
import { startPendingSignIn } from '../sessions/pending-sign-in.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import { presentUser } from '../users/user-presenter.ts';
import { openRegistrationLimits } from './registration-limits.ts';
import { previewStartAgain, startAgain } from './start-again.ts';
import { registerUser } from './user-service.ts';

export function signInRoutes(context: AppContext & { authenticator: passport.Authenticator }): Router {
  const { securityLog } = context;
  const router = Router();

  router.post('/api/register', async (request, response) => {
    const account = parseBody(request, RegisterRequest);
    let invitationId: string | null = null;
    const user = await securityLog.attempt('registration', { request }, async () => {
      const invitation = await checkInvitation(context, account, request);
      invitationId = invitation?.id ?? null;
      const limits = await openRegistrationLimits(context, { invitation, clientIp: clientIp(request) });
      const registered = await registerUser(context, account, { invitation, limits });
      await completeSignIn(context, request, response, registered, { isNewAccount: true });
      return registered;
    });
    if (user.isInvited)
      securityLog.record('invitation-used', 'success', { request, details: { invitationId } });
    if (user.isAdmin)
      securityLog.record('account-edited', 'success', { request, details: { isAdmin: true } });
    response.status(201).json(presentUser(context, user));
  });

  router.post('/api/register/again/preview', async (request, response) => {
    response.json(await previewStartAgain(context, parseBody(request, StartAgainPreviewRequest), request));
  });

  router.post('/api/register/again', async (request, response) => {
    const account = parseBody(request, StartAgainRequest);
    const user = await securityLog.attempt('registration', { request }, async () => {
      const registered = await startAgain(context, account);
      await completeSignIn(context, request, response, registered, { isNewAccount: true });
      return registered;
    });
    response.status(201).json(presentUser(context, user));
  });

  router.post('/api/login', async (request, response) => {
    request.body = parseBody(request, LoginRequest);
    const user = await authenticate(request, response);
    if (await isTotpOn(context, user.id)) {
      await startPendingSignIn(context, request, user);
      response.status(202).json({ secondFactor: true } satisfies SecondFactorNeeded);
      return;
    }
    await completeSignIn(context, request, response, user);
    response.json(presentUser(context, user));
  });

  // The client redirects here when the session has expired.
  router.get('/api/login', (_request, response) => response.redirect(302, '/auth'));

  return router;

  async function authenticate(request: Request, response: Response): Promise<Express.User> {
    const { promise, done } = deferred<Express.User>();
    const handler = context.authenticator.authenticate('local', { session: false }, done) as RequestHandler;
    await handler(request, response, done);
    return promise;
  }
}
