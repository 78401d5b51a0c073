import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';
import * as z from 'zod';
import { StartupError } from './startup-error.ts';

/**
 * Every setting, read once, checked together and frozen. `.env.example` lists each variable with its default;
 * nothing else in the server reads the environment.
 */
export type Config = ReturnType<typeof parseConfig>;

const text = z.string().trim();
const port = z.coerce
  .number('must be a port, 0 to 65535')
  .int('must be a port, 0 to 65535')
  .min(0, 'must be a port, 0 to 65535')
  .max(65_535, 'must be a port, 0 to 65535');
const count = z.coerce.number('must be a whole number, 1 or more').int().min(1);
const wholeNumber = z.coerce.number('must be a whole number, 0 or more').int().min(0);

const secret = text.min(32, 'must have at least 32 characters').optional();

const origin = text
  .refine(isOrigin, 'must be an origin like https://mems.example, without a path')
  .transform((value) => new URL(value).origin);

/** An address below which an API is, like https://api.example/v1. */
const httpUrl = text.refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'must be an address like https://api.openai.com/v1',
);

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
}

const postgresUrl = text.regex(
  /^postgres(ql)?:\/\/\S+$/,
  'must be a Postgres address like postgres://user:password@host:5432/mems',
);

/** Where mail goes: `smtp://` (with STARTTLS where offered) or `smtps://`, user and password in it. */
const smtpUrl = text.refine(
  (value) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol),
  'must be a mail server like smtp://user:password@mail.example:587',
);

const mailAddress = z.email('must be an e-mail address like album@mems.example');

/** A key or certificate; its lines may be parted by \n. */
const pem = text.transform((key) => key.replaceAll('\\n', '\n'));

const domain = text
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain like in.mems.example');

/** Who pushes mail to us: says by what names its headers go. */
const INBOUND_MAIL_PROVIDERS = ['postfix', 'cloudflare', 'ses'] as const;

/** An id of Twilio's: two letters for its kind and 32 hexadecimal digits. */
const twilioSid = (kind: string) =>
  text.regex(new RegExp(`^${kind}[0-9a-f]{32}$`, 'i'), `must be ${kind} and 32 hexadecimal digits`);

/** Addresses without a query, separated by commas; the last slash may be missing. */
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

/** `false`, a number of hops, or the proxies' addresses as Express understands them (`loopback`, `10.0.0.0/8, …`). */
const trustProxy = text.transform((value, context): false | number | string[] => {
  if (value === 'false' || value === '0') return false;
  if (/^\d+$/.test(value)) return Number(value);
  const proxies = value.split(',').map((each) => each.trim());
  if (proxies.every(isProxy)) return proxies;
  context.addIssue({
    code: 'custom',
    message: 'must be false, a number of hops, or addresses separated by commas',
  });
  return z.NEVER;
});

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    bits > 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits))
  );
}

/** Where Twilio's API leads on to, with its media protected by the account's password and without. */
const TWILIO_MEDIA_URLS = [
  'https://mms.twiliocdn.com',
  'https://media.twiliocdn.com',
  'https://s3-external-1.amazonaws.com/media.twiliocdn.com',
];

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  HOST: text.default('127.0.0.1'),
  PORT: port.default(5000),
  PUBLIC_URL: origin.optional(),
  TRUST_PROXY: trustProxy.default(false),
  DATA_DIR: text.default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: count.max(1000).default(10),
  OBJECT_STORAGE: z.enum(['disk', 's3']).default('disk'),
  S3_BUCKET: text.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_ENDPOINT: origin.optional(),
  S3_PATH_STYLE: z.stringbool().default(false),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  SESSION_SECRET: secret,
  UPLOAD_SECRET: secret,
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailAddress.optional(),
  MAIL_ENVELOPE_FROM: mailAddress.optional(),
  DKIM_DOMAIN: text.optional(),
  DKIM_SELECTOR: text.optional(),
  DKIM_PRIVATE_KEY: pem.optional(),
  INBOUND_MAIL_DOMAIN: domain.optional(),
  INBOUND_MAIL_SECRET: secret,
  INBOUND_MAIL_PROVIDER: z.enum(INBOUND_MAIL_PROVIDERS).default('postfix'),
  INBOUND_MAIL_AUTHSERV_ID: text.optional(),
  INBOUND_SMTP_PORT: port.optional(),
  INBOUND_SMTP_HOST: text.default('0.0.0.0'),
  INBOUND_SMTP_TLS_KEY: pem.optional(),
  INBOUND_SMTP_TLS_CERTIFICATE: pem.optional(),
  INBOUND_MAILS_PER_HOUR: count.default(100),
  INBOUND_MAILS_PER_ADDRESS: count.default(300),
  INBOUND_MAIL_ANSWERS_PER_HOUR: count.default(5),
  TWILIO_ACCOUNT_SID: twilioSid('AC').optional(),
  TWILIO_AUTH_TOKEN: text.optional(),
  TWILIO_PHONE_NUMBER: phoneNumber.optional(),
  TWILIO_MESSAGING_SERVICE_SID: twilioSid('MG').optional(),
  TWILIO_API_URL: origin.default('https://api.twilio.com'),
  TWILIO_MEDIA_URLS: urls.default(TWILIO_MEDIA_URLS),
  PHONE_COUNTRIES: countries.default(['US', 'CA']),
  PHONE_CODES_PER_ACCOUNT: count.default(5),
  PHONE_CODES_PER_NUMBER: count.default(5),
  PHONE_CODES_PER_ADDRESS: count.default(20),
  PHONE_CODES_WINDOW_MINUTES: count.default(60),
  PHONE_CODES_PER_DAY: count.default(500),
  TEXT_REPLIES_PER_NUMBER: count.default(60),
  TEXT_REPLIES_TO_STRANGERS_PER_DAY: count.default(100),
  MAIL_GROUPING_SECONDS: wholeNumber.default(120),
  CONTACTS_PER_DAY: count.default(20),
  MAILS_PER_HOUR: count.default(200),
  ACCOUNT_MAILS_PER_HOUR: count.default(5),
  LOGIN_ATTEMPTS_PER_ACCOUNT: count.default(10),
  LOGIN_ATTEMPTS_PER_ADDRESS: count.default(100),
  LOGIN_ATTEMPTS_WINDOW_MINUTES: count.default(15),
  UPLOADS_PER_MINUTE: count.default(60),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: httpUrl.default('https://api.openai.com/v1'),
  OPENAI_IMAGE_MODEL: text.default('gpt-image-1.5'),
  OPENAI_IMAGE_QUALITY: z.enum(['auto', 'low', 'medium', 'high']).default('medium'),
  OPENAI_INPUT_FIDELITY: z.enum(['auto', 'low', 'high']).default('high'),
  OPENAI_PROMPT: text.optional(),
  CARICATURES_PER_DAY: wholeNumber.default(10),
  CARICATURES_PER_MONTH: count.default(1000),
  STORAGE_LIMIT_GB: z.coerce.number().positive().default(10),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** What stands in mail that never leaves this machine. */
const EMBEDDED_SENDER = 'album@mems.localhost';
/** Behind the @ of accounts' own addresses where mail comes from this machine alone. */
const EMBEDDED_INBOUND_DOMAIN = 'in.mems.localhost';
/** The product's number where texts never leave this machine: one that belongs to nobody, for stories and films. */
const EMBEDDED_PHONE_NUMBER = '+12025550100';

/** The secrets that an installation of several machines must share, and so must be given there. */
const SHARED_SECRETS = ['SESSION_SECRET', 'UPLOAD_SECRET'] as const;

/** The configuration of this process. @throws StartupError */
export function readConfig(): Config {
  return parseConfig(process.env);
}

/** @throws StartupError naming every variable that is wrong, all at once */
export function parseConfig(environment: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  const problems = parsed.success
    ? [
        missingSecrets,
        missingS3Settings,
        missingMailSettings,
        missingInboundSettings,
        missingTwilioSettings,
      ].flatMap((missing) => missing(parsed.data))
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (!parsed.success || problems.length > 0) {
    throw new StartupError(
      ['The configuration has problems:', ...problems.map((each) => `  ${each}`)].join('\n'),
    );
  }
  return deepFreeze(nest(parsed.data));
}

function missingSecrets(env: z.infer<typeof Environment>): string[] {
  if (env.NODE_ENV !== 'production' || !env.DATABASE_URL) return [];
  const needed = env.OBJECT_STORAGE === 'disk' ? SHARED_SECRETS : (['SESSION_SECRET'] as const);
  return needed
    .filter((name) => !env[name])
    .map((name) => `${name}: is required in production with an external database (32 characters or more)`);
}

function missingS3Settings(env: z.infer<typeof Environment>): string[] {
  if (env.OBJECT_STORAGE !== 's3') return [];
  const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  return needed.filter((name) => !env[name]).map((name) => `${name}: is required with OBJECT_STORAGE=s3`);
}

function missingMailSettings(env: z.infer<typeof Environment>): string[] {
  const dkim = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const;
  const missingDkim = dkim.some((name) => env[name]) ? dkim.filter((name) => !env[name]) : [];
  const missing = env.SMTP_URL ? (['PUBLIC_URL', 'MAIL_FROM'] as const).filter((name) => !env[name]) : [];
  return [
    ...missing.map((name) => `${name}: is required with SMTP_URL`),
    ...missingDkim.map((name) => `${name}: is required to sign with DKIM`),
  ];
}

function missingInboundSettings(env: z.infer<typeof Environment>): string[] {
  const ways = env.INBOUND_MAIL_SECRET !== undefined || env.INBOUND_SMTP_PORT !== undefined;
  const tls = ['INBOUND_SMTP_TLS_KEY', 'INBOUND_SMTP_TLS_CERTIFICATE'] as const;
  const missingTls = tls.some((name) => env[name]) ? tls.filter((name) => !env[name]) : [];
  return [
    ...(ways && !env.INBOUND_MAIL_DOMAIN ? ['INBOUND_MAIL_DOMAIN: is required to receive mail'] : []),
    ...(env.INBOUND_MAIL_DOMAIN && !ways
      ? ['INBOUND_MAIL_SECRET: or INBOUND_SMTP_PORT is required with INBOUND_MAIL_DOMAIN']
      : []),
    ...missingTls.map((name) => `${name}: is required for TLS of one's own`),
  ];
}

function missingTwilioSettings(env: z.infer<typeof Environment>): string[] {
  if (!sendsTexts(env)) return [];
  const needed = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] as const;
  const missing = needed
    .filter((name) => !env[name])
    .map((name) => `${name}: is required to send texts by Twilio`);
  if (!env.TWILIO_PHONE_NUMBER && !env.TWILIO_MESSAGING_SERVICE_SID)
    missing.push('TWILIO_PHONE_NUMBER: or TWILIO_MESSAGING_SERVICE_SID is required to send texts by Twilio');
  if (env.NODE_ENV === 'production' && !env.PUBLIC_URL)
    missing.push('PUBLIC_URL: is required with Twilio, which signs the texts that it brings there');
  return missing;
}

/** Half a setting is a mistake to be told, not texts that stay here in silence. */
function sendsTexts(env: z.infer<typeof Environment>): boolean {
  return Boolean(
    env.TWILIO_ACCOUNT_SID ??
    env.TWILIO_AUTH_TOKEN ??
    env.TWILIO_PHONE_NUMBER ??
    env.TWILIO_MESSAGING_SERVICE_SID,
  );
}

function nest(env: z.infer<typeof Environment>) {
  const publicUrl = env.PUBLIC_URL ?? null;
  return {
    environment: env.NODE_ENV,
    http: {
      host: env.HOST,
      port: env.PORT,
      /** The origin that people see; null: whatever address the browser used. */
      publicUrl,
      isHttps: publicUrl?.startsWith('https:') ?? false,
      trustProxy: env.TRUST_PROXY,
    },
    dataDir: resolve(env.DATA_DIR),
    database: env.DATABASE_URL
      ? ({ kind: 'external', url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE } as const)
      : ({ kind: 'embedded', poolSize: env.DATABASE_POOL_SIZE } as const),
    objectStorage:
      env.OBJECT_STORAGE === 's3'
        ? ({
            kind: 's3',
            bucket: env.S3_BUCKET ?? '',
            region: env.S3_REGION,
            endpoint: env.S3_ENDPOINT ?? null,
            isPathStyle: env.S3_PATH_STYLE,
            credentials: {
              accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
              secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
            },
          } as const)
        : ({ kind: 'disk' } as const),
    mail: {
      transport: env.SMTP_URL
        ? ({
            kind: 'smtp',
            url: env.SMTP_URL,
            dkim:
              env.DKIM_DOMAIN && env.DKIM_SELECTOR && env.DKIM_PRIVATE_KEY
                ? {
                    domainName: env.DKIM_DOMAIN,
                    keySelector: env.DKIM_SELECTOR,
                    privateKey: env.DKIM_PRIVATE_KEY,
                  }
                : null,
          } as const)
        : ({ kind: 'outbox' } as const),
      sender: {
        address: env.MAIL_FROM ?? EMBEDDED_SENDER,
        /** Who hears that a mail could not be delivered. */
        envelopeAddress: env.MAIL_ENVELOPE_FROM ?? env.MAIL_FROM ?? EMBEDDED_SENDER,
      },
      /** Photos that come within so many seconds of the first go out together; 0: each by itself. */
      groupingSeconds: env.MAIL_GROUPING_SECONDS,
    },
    inboundMail: inboundMailOf(env),
    sms: {
      transport: sendsTexts(env)
        ? ({
            kind: 'twilio',
            accountSid: env.TWILIO_ACCOUNT_SID ?? '',
            authToken: env.TWILIO_AUTH_TOKEN ?? '',
            /** Chooses the number that a text comes from; null: the product's own. */
            messagingServiceSid: env.TWILIO_MESSAGING_SERVICE_SID ?? null,
            apiUrl: env.TWILIO_API_URL,
            mediaUrls: env.TWILIO_MEDIA_URLS,
          } as const)
        : ({ kind: 'outbox' } as const),
      /** The product's own, E.164; null when only a messaging service knows it. */
      phoneNumber: sendsTexts(env) ? (env.TWILIO_PHONE_NUMBER ?? null) : EMBEDDED_PHONE_NUMBER,
      /** Whose numbers may be verified. */
      countries: env.PHONE_COUNTRIES,
    },
    caricatureArtist: env.OPENAI_API_KEY
      ? ({
          kind: 'openai',
          apiKey: env.OPENAI_API_KEY,
          baseUrl: env.OPENAI_BASE_URL,
          model: env.OPENAI_IMAGE_MODEL,
          quality: env.OPENAI_IMAGE_QUALITY,
          /** How closely it keeps to the photo; auto: as it does by itself. */
          inputFidelity: env.OPENAI_INPUT_FIDELITY,
          /** Null: the question of our own. */
          prompt: env.OPENAI_PROMPT ?? null,
        } as const)
      : ({ kind: 'local' } as const),
    /** Null: made and kept under the data folder. */
    secrets: { session: env.SESSION_SECRET ?? null, upload: env.UPLOAD_SECRET ?? null },
    rateLimits: {
      loginPerAccount: {
        points: env.LOGIN_ATTEMPTS_PER_ACCOUNT,
        seconds: env.LOGIN_ATTEMPTS_WINDOW_MINUTES * 60,
      },
      loginPerAddress: {
        points: env.LOGIN_ATTEMPTS_PER_ADDRESS,
        seconds: env.LOGIN_ATTEMPTS_WINDOW_MINUTES * 60,
      },
      accountMailPerAddress: { points: env.ACCOUNT_MAILS_PER_HOUR, seconds: 60 * 60 },
      contactPerUser: { points: env.CONTACTS_PER_DAY, seconds: 24 * 60 * 60 },
      phoneCodePerUser: {
        points: env.PHONE_CODES_PER_ACCOUNT,
        seconds: env.PHONE_CODES_WINDOW_MINUTES * 60,
      },
      phoneCodePerNumber: {
        points: env.PHONE_CODES_PER_NUMBER,
        seconds: env.PHONE_CODES_WINDOW_MINUTES * 60,
      },
      phoneCodePerAddress: {
        points: env.PHONE_CODES_PER_ADDRESS,
        seconds: env.PHONE_CODES_WINDOW_MINUTES * 60,
      },
      /** Of the whole installation. */
      phoneCodePerDay: { points: env.PHONE_CODES_PER_DAY, seconds: 24 * 60 * 60 },
      /** One a day to a number that is nobody's. */
      replyPerStranger: { points: 1, seconds: 24 * 60 * 60 },
      replyToStrangersPerDay: { points: env.TEXT_REPLIES_TO_STRANGERS_PER_DAY, seconds: 24 * 60 * 60 },
      /** Two machines that answer each other would never end. */
      replyPerNumber: { points: env.TEXT_REPLIES_PER_NUMBER, seconds: 60 * 60 },
      uploadPerUser: { points: env.UPLOADS_PER_MINUTE, seconds: 60 },
      inboundMailPerUser: { points: env.INBOUND_MAILS_PER_HOUR, seconds: 60 * 60 },
      /** Of whoever talks to our own receiver. */
      inboundMailPerAddress: { points: env.INBOUND_MAILS_PER_ADDRESS, seconds: 60 * 60 },
      mailAnswerPerUser: { points: env.INBOUND_MAIL_ANSWERS_PER_HOUR, seconds: 60 * 60 },
      /** Of mail that waits, each twice an hour: it is read whole. */
      previewPerUser: { points: 100, seconds: 60 * 60 },
    },
    limits: {
      mailsPerHourAndAccount: env.MAILS_PER_HOUR,
      /** Of one account; 0: there are none. */
      caricaturesPerDay: env.CARICATURES_PER_DAY,
      /** Of all accounts, by an artist who is paid. */
      caricaturesPerMonth: env.CARICATURES_PER_MONTH,
      storageBytesPerAccount: env.STORAGE_LIMIT_GB * 1024 ** 3,
    },
    logLevel: env.LOG_LEVEL,
  };
}

/** Photos by mail. Where all mail stays on this machine, so does this: one can try it there. */
function inboundMailOf(env: z.infer<typeof Environment>) {
  const isEmbedded = !env.INBOUND_MAIL_DOMAIN;
  if (isEmbedded && (env.SMTP_URL || !isLoopback(env.PUBLIC_URL))) return { kind: 'off' } as const;
  return {
    kind: isEmbedded ? 'embedded' : 'open',
    domain: env.INBOUND_MAIL_DOMAIN ?? EMBEDDED_INBOUND_DOMAIN,
    /** Null: made from the session secret. */
    secret: env.INBOUND_MAIL_SECRET ?? null,
    /** Whether mail may be pushed to us over HTTP. */
    takesPushes: isEmbedded || env.INBOUND_MAIL_SECRET !== undefined,
    provider: env.INBOUND_MAIL_PROVIDER,
    authservId: env.INBOUND_MAIL_AUTHSERV_ID ?? null,
    smtp:
      env.INBOUND_SMTP_PORT === undefined
        ? null
        : {
            host: env.INBOUND_SMTP_HOST,
            port: env.INBOUND_SMTP_PORT,
            tls:
              env.INBOUND_SMTP_TLS_KEY && env.INBOUND_SMTP_TLS_CERTIFICATE
                ? { key: env.INBOUND_SMTP_TLS_KEY, cert: env.INBOUND_SMTP_TLS_CERTIFICATE }
                : null,
          },
  } as const;
}

function isLoopback(publicUrl: string | undefined): boolean {
  if (!publicUrl) return true;
  const host = new URL(publicUrl).hostname;
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host);
}

function deepFreeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) if (each && typeof each === 'object') deepFreeze(each);
  return Object.freeze(value);
}
