import { isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';
import * as z from 'zod';
import { origin, text } from './setting-schemas.ts';

const twilioSid = (kind: string) =>
  text.regex(new RegExp(`^${kind}[0-9a-f]{32}$`, 'i'), `must be ${kind} and 32 hexadecimal digits`);

const urls = text.transform((value, context): string[] => {
  const each = value.split(',').map((url) => url.trim());
  if (each.every(isPlainUrl)) return each.map((url) => new URL(url).href.replace(/\/$/, ''));
  context.addIssue({
    code: 'custom',
    message: 'must be addresses like https://mms.twiliocdn.com separated by commas',
  });
  return z.NEVER;
});

function isPlainUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, search, hash, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && !search && !hash && !username && !password;
}

const phoneNumber = text.regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number like +12065550123');

const countries = text.transform((value, context): CountryCode[] => {
  const codes = value.split(',').map((each) => each.trim().toUpperCase());
  if (codes.every((code) => isSupportedCountry(code))) return codes;
  context.addIssue({ code: 'custom', message: 'must be countries of two letters separated by commas' });
  return z.NEVER;
});

/** Where Twilio's API redirects to, for media with and without authentication. */
const TWILIO_MEDIA_URLS = [
  'https://mms.twiliocdn.com',
  'https://media.twiliocdn.com',
  'https://s3-external-1.amazonaws.com/media.twiliocdn.com',
];

/** The product's number with the dev outbox. Reserved for fiction. */
const EMBEDDED_PHONE_NUMBER = '+12025550100';

const variables = {
  TWILIO_ACCOUNT_SID: twilioSid('AC').optional(),
  TWILIO_AUTH_TOKEN: text.optional(),
  TWILIO_PHONE_NUMBER: phoneNumber.optional(),
  TWILIO_MESSAGING_SERVICE_SID: twilioSid('MG').optional(),
  TWILIO_API_URL: origin.default('https://api.twilio.com'),
  TWILIO_MEDIA_URLS: urls.default(TWILIO_MEDIA_URLS),
  PHONE_COUNTRIES: countries.default(['US', 'CA']),
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function findMissing(env: Env & { NODE_ENV: string; PUBLIC_URL?: string | undefined }): string[] {
  if (!sendsSms(env)) return [];
  const needed = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] as const;
  const missing = needed
    .filter((name) => !env[name])
    .map((name) => `${name}: is required to send SMS by Twilio`);
  if (!env.TWILIO_PHONE_NUMBER && !env.TWILIO_MESSAGING_SERVICE_SID)
    missing.push('TWILIO_PHONE_NUMBER: or TWILIO_MESSAGING_SERVICE_SID is required to send SMS by Twilio');
  if (env.NODE_ENV === 'production' && !env.PUBLIC_URL)
    missing.push('PUBLIC_URL: is required with Twilio, which signs the SMS that it delivers there');
  return missing;
}

/** True also for an incomplete configuration, which is an error, so that SMS do not silently go to the dev outbox. */
function sendsSms(env: Env): boolean {
  return Boolean(
    env.TWILIO_ACCOUNT_SID ??
    env.TWILIO_AUTH_TOKEN ??
    env.TWILIO_PHONE_NUMBER ??
    env.TWILIO_MESSAGING_SERVICE_SID,
  );
}

function withoutTwilio<Given extends Env>(env: Given): Env {
  const { TWILIO_ACCOUNT_SID: _1, TWILIO_AUTH_TOKEN: _2, TWILIO_PHONE_NUMBER: _3, ...rest } = env;
  const { TWILIO_MESSAGING_SERVICE_SID: _4, ...free } = rest;
  return free;
}

function toSettings(env: Env) {
  return {
    transport: sendsSms(env)
      ? ({
          kind: 'twilio',
          accountSid: env.TWILIO_ACCOUNT_SID ?? '',
          authToken: env.TWILIO_AUTH_TOKEN ?? '',
          /** Chooses the sending number; null: the product's own. */
          messagingServiceSid: env.TWILIO_MESSAGING_SERVICE_SID ?? null,
          apiUrl: env.TWILIO_API_URL,
          mediaUrls: env.TWILIO_MEDIA_URLS,
        } as const)
      : ({ kind: 'dev-outbox' } as const),
    /** The product's own, E.164; null when only a messaging service knows it. */
    phoneNumber: sendsSms(env) ? (env.TWILIO_PHONE_NUMBER ?? null) : EMBEDDED_PHONE_NUMBER,
    countries: env.PHONE_COUNTRIES,
  };
}

export const smsSettings = { variables, findMissing, toSettings, withoutTwilio };
