import { Router, urlencoded } from 'express';
import type { AppContext } from '../../platform/context.ts';
import { ForbiddenError } from '../../platform/errors.ts';
import type { SmsForm } from '../../platform/sms/sms-signature.ts';
import { acceptSms } from './accept-sms.ts';
import { parseSms } from './parse-sms.ts';

/** Ten media URLs and the longest body take a tenth of it. */
const FORM_LIMIT = '64kb';
/** No reply in the response: the job sends it. */
const EMPTY_TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** The webhook of Twilio. Authenticated by its signature of our public URL and all fields, not by a session. */
export function inboundSmsRoutes(context: AppContext): Router {
  const { baseUrl, smsSignature } = context;
  const router = Router();

  router.post(
    '/api/sms/incoming',
    urlencoded({ extended: false, limit: FORM_LIMIT }),
    async (request, response) => {
      const params = { ...(request.body as SmsForm | undefined) };
      const url = baseUrl.origin() + request.originalUrl;
      if (!smsSignature.isValid({ url, params, signature: request.get('X-Twilio-Signature') }))
        // Twilio's error log shows it to an operator who configured another URL.
        throw new ForbiddenError(`This message is not signed for ${url}.`, 'forged-signature', { of: 'sms' });
      const sms = parseSms(params);
      // Also while the disk is almost full, since Twilio does not repeat the message by default: its photos wait there. If the
      // database cannot store it, this is a 503, and `pull-missed-sms-job` asks Twilio for it later.
      if (sms) await acceptSms(context, sms);
      response.type('text/xml').send(EMPTY_TWIML);
    },
  );

  return router;
}
