import { Router } from 'express';
import { DeleteAccountRequest } from '#shared/accounts/user';
import type { AppContext } from '../../../platform/context.ts';
import { parseBody } from '../../../platform/http/validate.ts';
import { requireCode } from '../second-factors/check-code-request.ts';
import { requireConfirmedIdentity } from '../sessions/access/confirmed-identity.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { endSession } from '../sessions/end-session.ts';
import { checkUsername, requestDeletion } from './account-deletion-service.ts';

export function accountDeletionRoutes(context: AppContext): Router {
  const router = Router();

  router.delete('/api/user', requireUser, requireConfirmedIdentity(context), async (request, response) => {
    const { username, code } = parseBody(request, DeleteAccountRequest);
    const user = currentUser(request);
    const ask = async () => {
      checkUsername(user, username);
      await requireCode(context, request, code);
      await requestDeletion(context, user.id, username);
    };
    await context.securityLog.attempt('deletion-requested', { request }, ask);
    await endSession(context, request, response);
  });

  return router;
}
