import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import type { SmsForm, SmsSignature } from './sms-signature.ts';

/** X-Twilio-Signature, with the password of the account. */
export function createTwilioSignature(authToken: string): SmsSignature {
  return {
    isValid: (request) => isSignedByTwilio({ authToken, ...request }),
    sign: ({ url, params }) => getExpectedTwilioSignature(authToken, url, params),
  };
}

/**
 * Whether a webhook's request is Twilio's own: HMAC-SHA1 over its address and all its fields. Twilio signs the address
 * with its port or without, by its kind; either is good.
 */
export function isSignedByTwilio(request: {
  authToken: string;
  /** As Twilio was given it, query and all. */
  url: string;
  params: SmsForm;
  signature: string | undefined;
}): boolean {
  const { authToken, url, params, signature } = request;
  return Boolean(authToken && signature) && validateRequest(authToken, signature ?? '', url, params);
}
