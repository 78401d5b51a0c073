import * as z from 'zod';
import { emailAddress } from '#shared/text/email-address';
import { pem, text, wholeNumber } from './setting-schemas.ts';

/** `smtp://` (with STARTTLS), `smtps://`, or `smtp+insecure://`, which sends a password even without TLS. */
const smtpUrl = text.refine(
  (value) => URL.canParse(value) && /^smtp(s|\+insecure)?:$/.test(new URL(value).protocol),
  'must be a mail server like smtp://user:password@mail.example:587',
);

const mailAddress = z.optional(emailAddress('must be an email address like album@mems.example'));

const EMBEDDED_SENDER = 'album@mems.localhost';

const variables = {
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailAddress,
  MAIL_ENVELOPE_FROM: mailAddress,
  DKIM_DOMAIN: text.optional(),
  DKIM_SELECTOR: text.optional(),
  DKIM_PRIVATE_KEY: pem.optional(),
  MAIL_GROUPING_SECONDS: wholeNumber.default(120),
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function findMissing(env: Env & { PUBLIC_URL?: string | undefined }): string[] {
  const dkim = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const;
  const missingDkim = dkim.some((name) => env[name]) ? dkim.filter((name) => !env[name]) : [];
  const missing = env.SMTP_URL ? (['PUBLIC_URL', 'MAIL_FROM'] as const).filter((name) => !env[name]) : [];
  return [
    ...missing.map((name) => `${name}: is required with SMTP_URL`),
    ...missingDkim.map((name) => `${name}: is required to sign with DKIM`),
  ];
}

function toSettings(env: Env) {
  return {
    transport: env.SMTP_URL
      ? ({
          kind: 'smtp',
          url: env.SMTP_URL.replace(/^smtp\+insecure:/i, 'smtp:'),
          requiresTls: /^smtps?:/i.test(env.SMTP_URL) && new URL(env.SMTP_URL).password !== '',
          dkim:
            env.DKIM_DOMAIN && env.DKIM_SELECTOR && env.DKIM_PRIVATE_KEY
              ? {
                  domainName: env.DKIM_DOMAIN,
                  keySelector: env.DKIM_SELECTOR,
                  privateKey: env.DKIM_PRIVATE_KEY,
                }
              : null,
        } as const)
      : ({ kind: 'dev-outbox' } as const),
    sender: {
      address: env.MAIL_FROM ?? EMBEDDED_SENDER,
      /** Receives bounces. */
      envelopeAddress: env.MAIL_ENVELOPE_FROM ?? env.MAIL_FROM ?? EMBEDDED_SENDER,
    },
    /** Photos added within so many seconds of the first are sent together; 0: separately. */
    groupingSeconds: env.MAIL_GROUPING_SECONDS,
  };
}

export const emailSettings = { variables, findMissing, toSettings };
