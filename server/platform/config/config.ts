import { resolve } from 'node:path';
import * as z from 'zod';
import { caricatureGeneratorSettings } from './settings/caricature-generator-settings.ts';
import { backupSettings } from './settings/backup-settings.ts';
import { accessSettings } from './settings/access-settings.ts';
import { devOutboxSettings } from './settings/dev-outbox-settings.ts';
import { databaseSettings } from './settings/database-settings.ts';
import { httpSettings } from './settings/http-settings.ts';
import { inboundEmailSettings } from './settings/inbound-email-settings.ts';
import { limitSettings } from './settings/limit-settings.ts';
import { emailSettings } from './settings/email-settings.ts';
import { findUnsafePaidServices } from './paid-services.ts';
import { oidcSettings } from './settings/oidc-settings.ts';
import { processSettings } from './settings/process-settings.ts';
import { remoteSourceSettings } from './settings/remote-source-settings.ts';
import { storageSettings } from './settings/storage-settings.ts';
import { smsSettings } from './settings/sms-settings.ts';
import { secret, text } from './settings/setting-schemas.ts';
import { StartupError } from '../process/startup-error.ts';

/** All settings, validated and frozen. `.env.example` lists the variables with their defaults. */
export type Config = ReturnType<typeof parseConfig>;

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  /** Not in .env.example: the test servers set it. Hashes are cheap to make, and to guess. */
  WEAK_PASSWORD_HASHES_FOR_TESTS: z.literal('true').optional(),
  DATA_DIR: text.default('./data'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
  SESSION_SECRET: secret,
  UPLOAD_SECRET: secret,
  ...processSettings.variables,
  ...httpSettings.variables,
  ...accessSettings.variables,
  ...databaseSettings.variables,
  ...backupSettings.variables,
  ...storageSettings.variables,
  ...emailSettings.variables,
  ...inboundEmailSettings.variables,
  ...smsSettings.variables,
  ...devOutboxSettings.variables,
  ...caricatureGeneratorSettings.variables,
  ...remoteSourceSettings.variables,
  ...oidcSettings.variables,
  ...limitSettings.variables,
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
        () => findRenamed(given),
        processSettings.findMissing,
        storageSettings.findMissing,
        emailSettings.findMissing,
        inboundEmailSettings.findMissing,
        smsSettings.findMissing,
        remoteSourceSettings.findMissing,
        oidcSettings.findMissing,
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

/** Ignored in silence, it would leave a limit at its default. */
function findRenamed(given: NodeJS.ProcessEnv): string[] {
  const { INBOUND_MAIL_ANSWERS_PER_HOUR: old } = given;
  return old === undefined ? [] : ['INBOUND_MAIL_ANSWERS_PER_HOUR: is now INBOUND_MAIL_REPLIES_PER_HOUR'];
}

function nest(env: z.infer<typeof Environment>) {
  const http = httpSettings.toSettings(env);
  const access = accessSettings.toSettings(env);
  const email = emailSettings.toSettings(env);
  const sms = smsSettings.toSettings(env);
  const caricatureGenerator = caricatureGeneratorSettings.toSettings(env);
  const paidServicesOff = findUnsafePaidServices({ http, access, email, sms, caricatureGenerator });
  return {
    hasWeakPasswordHashes: env.WEAK_PASSWORD_HASHES_FOR_TESTS === 'true',
    process: processSettings.toSettings(env),
    http,
    access,
    dataDir: resolve(env.DATA_DIR),
    database: databaseSettings.toSettings(env),
    objectStorage: storageSettings.toSettings(env),
    /** Null: no nightly backups. */
    backups: backupSettings.toSettings(env),
    email,
    inboundEmail: inboundEmailSettings.toSettings(env),
    sms: paidServicesOff.length > 0 ? smsSettings.toSettings(smsSettings.withoutTwilio(env)) : sms,
    devOutbox: devOutboxSettings.toSettings(env),
    caricatureGenerator: paidServicesOff.length > 0 ? ({ kind: 'local' } as const) : caricatureGenerator,
    /** Configured, but replaced by what is free. */
    paidServicesOff,
    remoteSources: remoteSourceSettings.toSettings(env, http),
    /** Null: people sign in by password only. */
    oidc: oidcSettings.toSettings(env),
    /** Null: generated and stored in the data folder. */
    secrets: { session: env.SESSION_SECRET ?? null, upload: env.UPLOAD_SECRET ?? null },
    ...limitSettings.toSettings(env),
    /** Null: warn on a terminal, else info. */
    logLevel: env.LOG_LEVEL ?? null,
  };
}

function deepFreeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) if (each && typeof each === 'object') deepFreeze(each);
  return Object.freeze(value);
}
