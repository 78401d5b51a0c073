import { Router } from 'express';
import { CodeRequest } from '#shared/accounts/second-factor';
import type { AppContext } from '../../../platform/context.ts';
import { InvalidError } from '../../../platform/errors.ts';
import { parseBody } from '../../../platform/http/validate.ts';
import { completeSignIn } from '../sign-in/complete-sign-in.ts';
import { findPendingUser } from '../sessions/pending-sign-in.ts';
import { requireConfirmedIdentity } from '../sessions/access/confirmed-identity.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { presentUser } from '../users/user-presenter.ts';
import { checkCodeOfRequest } from './check-code-request.ts';
import {
  confirmTotpSetup,
  findSecondFactor,
  renewRecoveryCodes,
  startTotpSetup,
  turnTotpOff,
} from './second-factor-service.ts';

export function secondFactorRoutes(context: AppContext): Router {
  const { securityLog } = context;
  const router = Router();

  // The second step of POST /api/login.
  router.post('/api/login/code', async (request, response) => {
    const { code } = parseBody(request, CodeRequest);
    const { user, confirmsIdentity } = await findPendingUser(context, request);
    const result = await checkCodeOfRequest(context, request, user, code);
    if (!result.isRight) {
      securityLog.record('sign-in-code', 'failure', { request, userId: user.id });
      throw new InvalidError(result.message, { code: result.message });
    }
    await completeSignIn(context, request, response, user, {
      confirmsIdentity,
      details: { method: result.method },
    });
    response.json(presentUser(context, user));
  });

  router.get('/api/user/second-factor', requireUser, async (request, response) => {
    response.json(await findSecondFactor(context, currentUser(request).id));
  });

  router.post('/api/user/totp', requireUser, requireConfirmedIdentity(context), async (request, response) => {
    response.status(201).json(await startTotpSetup(context, currentUser(request)));
  });

  router.post('/api/user/totp/confirm', requireUser, async (request, response) => {
    const { code } = parseBody(request, CodeRequest);
    const codes = await securityLog.attempt('totp-on', { request }, () =>
      confirmTotpSetup(context, currentUser(request), code, requestSource(request, context.clock)),
    );
    response.json(codes);
  });

  router.delete(
    '/api/user/totp',
    requireUser,
    requireConfirmedIdentity(context),
    async (request, response) => {
      const source = requestSource(request, context.clock);
      const wasOn = await turnTotpOff(context, currentUser(request), source);
      if (wasOn) securityLog.record('totp-off', 'success', { request });
      response.status(204).end();
    },
  );

  router.post(
    '/api/user/recovery-codes',
    requireUser,
    requireConfirmedIdentity(context),
    async (request, response) => {
      const codes = await renewRecoveryCodes(
        context,
        currentUser(request),
        requestSource(request, context.clock),
      );
      securityLog.record('recovery-codes-renewed', 'success', { request });
      response.json(codes);
    },
  );

  return router;
}
