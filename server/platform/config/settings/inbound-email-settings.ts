import * as z from 'zod';
import { pem, port, secret, text } from './setting-schemas.ts';

const domain = text
  .toLowerCase()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain like in.mems.example');

/** The service that delivers email to us; determines the names of its headers. */
const INBOUND_EMAIL_PROVIDERS = ['postfix', 'cloudflare', 'ses'] as const;

const EMBEDDED_INBOUND_DOMAIN = 'in.mems.localhost';

const variables = {
  INBOUND_MAIL_DOMAIN: domain.optional(),
  INBOUND_MAIL_SECRET: secret,
  INBOUND_MAIL_PROVIDER: z.enum(INBOUND_EMAIL_PROVIDERS).default('postfix'),
  INBOUND_MAIL_AUTHSERV_ID: text.optional(),
  INBOUND_SMTP_PORT: port.optional(),
  INBOUND_SMTP_HOST: text.default('0.0.0.0'),
  INBOUND_SMTP_TLS_KEY: pem.optional(),
  INBOUND_SMTP_TLS_CERTIFICATE: pem.optional(),
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function findMissing(env: Env): string[] {
  const ways = env.INBOUND_MAIL_SECRET !== undefined || env.INBOUND_SMTP_PORT !== undefined;
  const tls = ['INBOUND_SMTP_TLS_KEY', 'INBOUND_SMTP_TLS_CERTIFICATE'] as const;
  const missingTls = tls.some((name) => env[name]) ? tls.filter((name) => !env[name]) : [];
  return [
    ...(ways && !env.INBOUND_MAIL_DOMAIN ? ['INBOUND_MAIL_DOMAIN: is required to receive mail'] : []),
    ...(env.INBOUND_MAIL_DOMAIN && !ways
      ? ['INBOUND_MAIL_SECRET: or INBOUND_SMTP_PORT is required with INBOUND_MAIL_DOMAIN']
      : []),
    ...missingTls.map((name) => `${name}: is required for your own TLS certificate`),
  ];
}

/** With the dev outbox, emails with photos can be tried on this machine. */
function toSettings(env: Env & { SMTP_URL?: string | undefined; PUBLIC_URL?: string | undefined }) {
  const isEmbedded = !env.INBOUND_MAIL_DOMAIN;
  if (isEmbedded && (env.SMTP_URL || !isLoopback(env.PUBLIC_URL))) return { kind: 'off' } as const;
  return {
    kind: isEmbedded ? 'embedded' : 'open',
    domain: env.INBOUND_MAIL_DOMAIN ?? EMBEDDED_INBOUND_DOMAIN,
    /** Null: derived from the session secret. */
    secret: env.INBOUND_MAIL_SECRET ?? null,
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

export const inboundEmailSettings = { variables, findMissing, toSettings };
