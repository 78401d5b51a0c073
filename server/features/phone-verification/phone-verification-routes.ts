import { Router } from 'express';
import { SendVerificationRequest, VerifyPhoneRequest } from '#shared/phone';
import type { AppContext } from '../../platform/context.ts';
import { clientIp } from '../../platform/client-ip.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { parseBody } from '../../platform/http/validate.ts';
import { presentUser } from '../users/user-presenter.ts';
import { sendCode, whereTheCodeWent } from './send-code.ts';
import { forgetPhone, verifyPhone } from './verify-phone.ts';

/** The proof that a phone number is the account's. */
export function phoneVerificationRoutes(
  context: Pick<
    AppContext,
    'config' | 'db' | 'clock' | 'logger' | 'mailer' | 'smsSender' | 'keyedHash' | 'rateLimits'
  >,
): Router {
  const router = Router();

  router.post('/api/sms/send-verification', requireUser, async (request, response) => {
    const { phoneNumber } = parseBody(request, SendVerificationRequest);
    const address = clientIp(request);
    const sentTo = await sendCode(context, currentUser(request).id, { phoneNumber, address });
    response.json({ message: whereTheCodeWent(context, sentTo) });
  });

  router.post('/api/sms/verify', requireUser, async (request, response) => {
    const proof = parseBody(request, VerifyPhoneRequest);
    response.json(presentUser(context, await verifyPhone(context, currentUser(request).id, proof)));
  });

  router.delete('/api/sms/number', requireUser, async (request, response) => {
    await forgetPhone(context, currentUser(request).id);
    response.status(204).end();
  });

  return router;
}
