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
  const router = Router();

  router.post('/api/sms/send-verification', requireUser, async (request, response) => {
    const { phoneNumber } = parseBody(request, SendVerificationRequest);
    const call = { phoneNumber, clientIp: clientIp(request) };
    const sentTo = await sendVerificationCode(context, currentUser(request).id, call);
    response.json({ message: describeSentCode(context, sentTo) });
  });

  router.post('/api/sms/verify', requireUser, async (request, response) => {
    const proof = parseBody(request, VerifyPhoneRequest);
    response.json(presentUser(context, await verifyPhone(context, currentUser(request).id, proof)));
  });

  router.delete('/api/sms/number', requireUser, async (request, response) => {
    await removePhone(context, currentUser(request).id);
    response.status(204).end();
  });

  return router;
}
