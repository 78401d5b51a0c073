import { Router } from 'express';
import { SendVerificationRequest, VerifyPhoneRequest } from '#shared/text/phone';
import type { AppContext } from '../../platform/context.ts';
import { clientIp } from '../../platform/client-info/client-ip.ts';
import { isFromThisMachine } from '../../platform/http/security/local-requests.ts';
import { requireConfirmedIdentity } from '../accounts/sessions/access/confirmed-identity.ts';
import { requestSource } from '../../platform/client-info/request-source.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { presentUser } from '../accounts/users/user-presenter.ts';
import { sendVerificationCode, describeSentCode } from './send-verification-code.ts';
import { removePhone, verifyPhone } from './verify-phone.ts';

export function phoneVerificationRoutes(context: AppContext): Router {
  const { securityLog } = context;
  const requireIdentity = requireConfirmedIdentity(context);
  const router = Router();

  router.post('/api/sms/send-verification', requireUser, requireIdentity, async (request, response) => {
    const { phoneNumber } = parseBody(request, SendVerificationRequest);
    const call = { phoneNumber, clientIp: clientIp(request) };
    const owner = { ...currentUser(request), isFromThisMachine: isFromThisMachine(request) };
    const sentTo = await securityLog.attempt('phone-code', { request }, () =>
      sendVerificationCode(context, owner, call),
    );
    response.json({ message: describeSentCode(context, sentTo) });
  });

  router.post('/api/sms/verify', requireUser, async (request, response) => {
    const proof = parseBody(request, VerifyPhoneRequest);
    const user = await securityLog.attempt('phone-change', { request }, () =>
      verifyPhone(context, currentUser(request).id, proof, requestSource(request, context.clock)),
    );
    response.json(presentUser(context, user));
  });

  router.delete('/api/sms/number', requireUser, requireIdentity, async (request, response) => {
    const source = requestSource(request, context.clock);
    const wasRemoved = await removePhone(context, currentUser(request).id, source);
    if (wasRemoved) securityLog.record('phone-removal', 'success', { request });
    response.status(204).end();
  });

  return router;
}
