import { resolve } from 'node:path';
import * as z from 'zod';
import {
  toCaricatureGeneratorSettings,
  caricatureGeneratorVariables,
} from './caricature-generator-settings.ts';
import { backupVariables, toBackupSettings } from './backup-settings.ts';
import { accessVariables, toAccessSettings } from './access-settings.ts';
import { devOutboxVariables, toDevOutboxSettings } from './dev-outbox-settings.ts';
import { toDatabaseSettings, databaseVariables } from './database-settings.ts';
import { toHttpSettings, httpVariables } from './http-settings.ts';
import {
  toInboundEmailSettings,
  inboundEmailVariables,
  missingInboundEmailSettings,
} from './inbound-email-settings.ts';
import { toLimits, limitVariables, toRateLimits } from './limit-settings.ts';
import { toEmailSettings, emailVariables, missingEmailSettings } from './email-settings.ts';
import { findUnsafePaidServices } from './paid-services.ts';
import { missingOidcSettings, oidcVariables, toOidcSettings } from './oidc-settings.ts';
import {
  missingRemoteSourceSettings,
  remoteSourceVariables,
  toRemoteSourceSettings,
} from './remote-source-settings.ts';
import { missingS3Settings, toStorageSettings, storageVariables } from './storage-settings.ts';
import { missingTwilioSettings, toSmsSettings, smsVariables, withoutTwilio } from './sms-settings.ts';
import { secret, text } from './setting-schemas.ts';
import { StartupError } from '../startup-error.ts';

/** All settings, validated and frozen. `.env.example` lists the variables with their defaults. */
export type Config = ReturnType<typeof parseConfig>;

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  /** Not in .env.example: the test servers set it. Hashes are cheap to make, and to guess. */
  WEAK_PASSWORD_HASHES_FOR_TESTS: z.literal('true').optional(),
  DATA_DIR: text.default('./data'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  SESSION_SECRET: secret,
  UPLOAD_SECRET: secret,
  ...httpVariables,
  ...accessVariables,
  ...databaseVariables,
  ...backupVariables,
  ...storageVariables,
  ...emailVariables,
  ...inboundEmailVariables,
  ...smsVariables,
  ...devOutboxVariables,
  ...caricatureGeneratorVariables,
  ...remoteSourceVariables,
  ...oidcVariables,
  ...limitVariables,
});

/** Several machines must share these secrets, so they must be configured. */
const SHARED_SECRETS = ['SESSION_SECRET', 'UPLOAD_SECRET'] as const;

/** @throws StartupError */
export function readConfig(): Config {
  return parseConfig(process.env);
}

/** @throws StartupError naming every wrong variable */
export function parseConfig(environment: NodeJS.ProcessEnv) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  const errors = parsed.success
    ? [
        weakHashesOutsideTests,
        missingSecrets,
        missingS3Settings,
        missingEmailSettings,
        missingInboundEmailSettings,
        missingTwilioSettings,
        missingRemoteSourceSettings,
        missingOidcSettings,
      ].flatMap((missing) => missing(parsed.data))
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (!parsed.success || errors.length > 0) {
    throw new StartupError(
      ['The configuration has errors:', ...errors.map((each) => `  ${each}`)].join('\n'),
    );
  }
  return deepFreeze(nest(parsed.data));
}

function weakHashesOutsideTests(env: z.infer<typeof Environment>): string[] {
  if (!env.WEAK_PASSWORD_HASHES_FOR_TESTS || env.NODE_ENV === 'test') return [];
  return ['WEAK_PASSWORD_HASHES_FOR_TESTS: is for tests only'];
}

function missingSecrets(env: z.infer<typeof Environment>): string[] {
  if (env.NODE_ENV !== 'production' || !env.DATABASE_URL) return [];
  const needed = env.OBJECT_STORAGE === 'disk' ? SHARED_SECRETS : (['SESSION_SECRET'] as const);
  return needed
    .filter((name) => !env[name])
    .map((name) => `${name}: is required in production with an external database (32 characters or more)`);
}

function nest(env: z.infer<typeof Environment>) {
  const http = toHttpSettings(env);
  const access = toAccessSettings(env);
  const email = toEmailSettings(env);
  const sms = toSmsSettings(env);
  const caricatureGenerator = toCaricatureGeneratorSettings(env);
  const paidServicesOff = findUnsafePaidServices({ http, access, email, sms, caricatureGenerator });
  return {
    hasWeakPasswordHashes: env.WEAK_PASSWORD_HASHES_FOR_TESTS === 'true',
    http,
    access,
    dataDir: resolve(env.DATA_DIR),
    database: toDatabaseSettings(env),
    objectStorage: toStorageSettings(env),
    /** Null: no nightly backups. */
    backups: toBackupSettings(env),
    email,
    inboundEmail: toInboundEmailSettings(env),
    sms: paidServicesOff.length > 0 ? toSmsSettings(withoutTwilio(env)) : sms,
    devOutbox: toDevOutboxSettings(env),
    caricatureGenerator: paidServicesOff.length > 0 ? ({ kind: 'local' } as const) : caricatureGenerator,
    /** Configured, but replaced by what is free. */
    paidServicesOff,
    remoteSources: toRemoteSourceSettings(env, http),
    /** Null: people sign in by password only. */
    oidc: toOidcSettings(env),
    /** Null: generated and stored in the data folder. */
    secrets: { session: env.SESSION_SECRET ?? null, upload: env.UPLOAD_SECRET ?? null },
    rateLimits: toRateLimits(env),
    limits: toLimits(env),
    logLevel: env.LOG_LEVEL,
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) if (each && typeof each === 'object') deepFreeze(each);
  return Object.freeze(value);
}
