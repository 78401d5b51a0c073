import { Router, urlencoded } from 'express';
import type { AppContext } from '../../platform/context.ts';
import { ForbiddenError } from '../../platform/errors.ts';
import type { SmsForm } from '../../platform/sms/sms-signature.ts';
import { acceptMms } from './accept-sms.ts';
import { parseMms } from './parse-sms.ts';

/** Ten photos' addresses and the longest words take a tenth of it. */
const FORM_LIMIT = '64kb';
/** No text of its own: what there is to say goes out once its job is done. */
const NOTHING_TO_SAY = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** Where the provider brings texts. Its signature is the proof, of every field and for our public address: no session. */
export function mmsRoutes(
  context: Pick<AppContext, 'config' | 'db' | 'clock' | 'jobs' | 'baseUrl' | 'rateLimits' | 'smsSignature'>,
): Router {
  const { baseUrl, smsSignature } = context;
  const router = Router();

  router.post(
    '/api/sms/incoming',
    urlencoded({ extended: false, limit: FORM_LIMIT }),
    async (request, response) => {
      const params = { ...(request.body as SmsForm | undefined) };
      const url = baseUrl.origin() + request.originalUrl;
      if (!smsSignature.isValid({ url, params, signature: request.get('X-Twilio-Signature') }))
        // Twilio shows it to whoever has given it another address.
        throw new ForbiddenError(`This message is not signed for ${url}.`);
      const mms = parseMms(params);
      if (mms) await acceptMms(context, mms);
      response.type('text/xml').send(NOTHING_TO_SAY);
    },
  );

  return router;
}
