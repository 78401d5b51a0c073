import { Router, type Request, type RequestHandler, type Response } from 'express';
import type passport from 'passport';
import type { SecondFactorNeeded } from '#shared/second-factor';
import { IdentityProofRequest, type UserSession } from '#shared/session';
import { LoginRequest, RegisterRequest, StartAgainPreviewRequest, StartAgainRequest } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { clientIp } from '../../platform/client-ip.ts';
import { describeDevice } from '../../platform/describe-device.ts';
import { idParam, parseBody } from '../../platform/http/validate.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import { deferred } from './deferred.ts';
import { endSession } from './end-session.ts';
import { startPendingSignIn } from './pending-sign-in.ts';
import { provePassword } from './recent-proof.ts';
import { openRegistrationLimits } from '../accounts/registration-limits.ts';
import { currentUser, requireUser } from './require-user.ts';
import { isTotpOn } from '../second-factors/check-code.ts';
import { checkInvite } from '../invites/accept-invite.ts';
import { previewStartAgain, startAgain } from '../accounts/start-again.ts';
import { registerUser } from '../accounts/user-service.ts';
import { presentUser } from '../users/user-presenter.ts';
import { deleteSession, deleteSessions, listSessions, type SessionRow } from './session-queries.ts';

export function sessionRoutes(context: AppContext & { authenticator: passport.Authenticator }): Router {
  const { securityLog } = context;
  const router = Router();

  router.post('/api/register', async (request, response) => {
    const account = parseBody(request, RegisterRequest);
    let inviteId: string | null = null;
    const user = await securityLog.attempt('registration', { request }, async () => {
      const invite = await checkInvite(context, account, request);
      inviteId = invite?.id ?? null;
      const limits = await openRegistrationLimits(context, { invite, clientIp: clientIp(request) });
      const registered = await registerUser(context, account, { invite, limits });
      await completeSignIn(context, request, response, registered, { isNewAccount: true });
      return registered;
    });
    if (user.isInvited) securityLog.record('invite-used', 'success', { request, details: { inviteId } });
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

  router.post('/api/session/proof', requireUser, async (request, response) => {
    const { password } = parseBody(request, IdentityProofRequest);
    await securityLog.attempt('identity-proof', { request }, () => provePassword(context, request, password));
    response.status(204).end();
  });

  // The client redirects here when the session has expired.
  router.get('/api/login', (_request, response) => response.redirect(302, '/auth'));

  router.post('/api/logout', async (request, response) => {
    await endSession(context, request, response);
    if (request.user) securityLog.record('sign-out', 'success', { request });
  });

  router.post('/api/logout/all', requireUser, async (request, response) => {
    await deleteSessions(context.db, currentUser(request).id);
    await endSession(context, request, response);
    securityLog.record('sign-out-everywhere', 'success', { request });
  });

  router.get('/api/sessions', requireUser, async (request, response) => {
    const rows = await listSessions(context.db, currentUser(request).id);
    response.json(rows.map((row) => presentSession(row, request.sessionID)));
  });

  router.delete('/api/sessions/:id', requireUser, async (request, response) => {
    const isDeleted = await deleteSession(context.db, currentUser(request).id, idParam(request));
    if (!isDeleted) throw new NotFoundError('This device is already signed out.');
    securityLog.record('session-ended', 'success', { request });
    response.status(204).end();
  });

  router.delete('/api/sessions', requireUser, async (request, response) => {
    await deleteSessions(context.db, currentUser(request).id, request.sessionID);
    securityLog.record('other-sessions-ended', 'success', { request });
    response.status(204).end();
  });

  return router;

  async function authenticate(request: Request, response: Response): Promise<Express.User> {
    const { promise, done } = deferred<Express.User>();
    const handler = context.authenticator.authenticate('local', { session: false }, done) as RequestHandler;
    await handler(request, response, done);
    return promise;
  }
}

function presentSession({ sid, ...row }: SessionRow, currentSid: string): UserSession {
  return {
    id: row.id,
    device: row.device ?? describeDevice(),
    network: row.network,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: (row.lastSeenAt ?? row.createdAt).toISOString(),
    isCurrent: sid === currentSid,
  };
}
