import { Router } from 'express';
import { SendVerificationRequest, VerifyPhoneRequest } from '#shared/phone';
import type { AppContext } from '../../platform/context.ts';
import { clientIp } from '../../platform/client-ip.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { presentUser } from '../users/user-presenter.ts';
import { sendVerificationCode, describeSentCode } from './send-verification-code.ts';
import { removePhone, verifyPhone } from './verify-phone.ts';

export function phoneVerificationRoutes(context: AppContext): Router {
  const { securityLog } = context;
  const router = Router();

  router.post('/api/sms/send-verification', requireUser, async (request, response) => {
    const { phoneNumber } = parseBody(request, SendVerificationRequest);
    const call = { phoneNumber, clientIp: clientIp(request) };
    const sentTo = await securityLog.attempt('phone-code', { request }, () =>
      sendVerificationCode(context, currentUser(request), call),
    );
    response.json({ message: describeSentCode(context, sentTo) });
  });

  router.post('/api/sms/verify', requireUser, async (request, response) => {
    const proof = parseBody(request, VerifyPhoneRequest);
    const user = await securityLog.attempt('phone-change', { request }, () =>
      verifyPhone(context, currentUser(request).id, proof),
    );
    response.json(presentUser(context, user));
  });

  router.delete('/api/sms/number', requireUser, async (request, response) => {
    await removePhone(context, currentUser(request).id);
    securityLog.record('phone-removal', 'success', { request });
    response.status(204).end();
  });

  return router;
}
