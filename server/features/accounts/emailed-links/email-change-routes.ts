import { Router } from 'express';
import {
  ChangeEmailRequest,
  ConfirmEmailChangeRequest,
  UndoEmailChangeRequest,
  type PendingEmailChange,
  type UndoEmailChangeResponse,
} from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { parseBody } from '../../../platform/http/validate.ts';
import { requireConfirmedIdentity } from '../sessions/access/confirmed-identity.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import {
  cancelEmailChange,
  confirmEmailChange,
  requestEmailChange,
  undoEmailChange,
} from './email-change.ts';
import { findPendingEmailChange } from './email-change-queries.ts';

export function emailChangeRoutes(context: AppContext): Router {
  const { db, clock, securityLog } = context;
  const router = Router();

  router.patch(
    '/api/user/email',
    requireUser,
    requireConfirmedIdentity(context),
    async (request, response) => {
      const change = parseBody(request, ChangeEmailRequest);
      const ask = () =>
        requestEmailChange(context, currentUser(request), change, requestSource(request, clock));
      await securityLog.attempt('email-change-request', { request }, ask);
      response.status(202).json({ message: `We sent a link to ${change.email}.` });
    },
  );

  router.get('/api/user/email/change', requireUser, async (request, response) => {
    const found = await findPendingEmailChange(db, currentUser(request).id, clock.now());
    const pending = found && { email: found.newEmail, expiresAt: found.expiresAt.toISOString() };
    response.json({ pending } satisfies PendingEmailChange);
  });

  router.delete('/api/user/email/change', requireUser, async (request, response) => {
    const wasPending = await cancelEmailChange(context, currentUser(request).id);
    if (wasPending) securityLog.record('email-change-cancelled', 'success', { request });
    response.status(204).end();
  });

  router.post('/api/user/email/confirm', requireUser, async (request, response) => {
    const confirmation = parseBody(request, ConfirmEmailChangeRequest);
    const confirm = () =>
      confirmEmailChange(context, currentUser(request), confirmation, requestSource(request, clock));
    await securityLog.attempt('email-change', { request }, confirm);
    response.status(204).end();
  });

  router.post('/api/user/email/undo', async (request, response) => {
    const { token } = parseBody(request, UndoEmailChangeRequest);
    const undo = () => undoEmailChange(context, token, requestSource(request, clock));
    const { resetToken } = await securityLog.attempt(
      'email-change-undone',
      { request },
      undo,
      (undone) => undone.userId,
    );
    response.json({ resetToken } satisfies UndoEmailChangeResponse);
  });

  return router;
}
