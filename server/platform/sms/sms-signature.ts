import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js';

/** A form as received. A repeated field has all its values. */
export type SmsForm = Record<string, string | string[] | undefined>;

export type SmsSignature = {
  /** The URL is the one configured at the provider, with its query. Every field counts. */
  isValid(request: { url: string; params: SmsForm; signature: string | undefined }): boolean;
  /** For the dev outbox, which stands in for the provider. */
  sign(request: { url: string; params: SmsForm }): string;
};

/** X-Twilio-Signature: HMAC-SHA1 over URL and fields with the account's auth token. Accepts a URL with or without its port. */
export function createTwilioSignature(authToken: string): SmsSignature {
  return {
    isValid: ({ url, params, signature }) =>
      // Twilio's function throws at a URL that cannot be parsed.
      Boolean(authToken && signature) &&
      URL.canParse(url) &&
      validateRequest(authToken, signature ?? '', url, params),
    sign: ({ url, params }) => getExpectedTwilioSignature(authToken, url, params),
  };
}
