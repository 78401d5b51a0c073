import { Router } from 'express';
import { ConfirmIdentityRequest, type UserSession } from '#shared/accounts/session';
import type { AppContext } from '../../../platform/context.ts';
import { NotFoundError } from '../../../platform/errors.ts';
import { describeDevice } from '../../../platform/client-info/describe-device.ts';
import { idParam, parseBody } from '../../../platform/http/validate.ts';
import { endSession } from './end-session.ts';
import { confirmByPassword } from './access/confirmed-identity.ts';
import { currentUser, requireUser } from './access/require-user.ts';
import { deleteSession, deleteSessions, listSessions, type SessionRow } from './session-queries.ts';

export function sessionRoutes(context: AppContext): Router {
  const { securityLog } = context;
  const router = Router();

  router.post('/api/session/proof', requireUser, async (request, response) => {
    const { password } = parseBody(request, ConfirmIdentityRequest);
    await securityLog.attempt('identity-proof', { request }, () =>
      confirmByPassword(context, request, password),
    );
    response.status(204).end();
  });

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
