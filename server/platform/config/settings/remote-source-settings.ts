import * as z from 'zod';
import { text } from './setting-schemas.ts';

const key = text.optional();

const variables = {
  REMOTE_LINKS: z.enum(['true', 'false']).optional(),
  GOOGLE_PICKER_CLIENT_ID: key,
  GOOGLE_PICKER_API_KEY: key,
  GOOGLE_PICKER_APP_ID: key,
  DROPBOX_KEY: key,
  DROPBOX_SECRET: key,
  ONEDRIVE_KEY: key,
  ONEDRIVE_SECRET: key,
  GOOGLE_DRIVE_KEY: key,
  GOOGLE_DRIVE_SECRET: key,
};

type Env = z.infer<z.ZodObject<typeof variables>>;

/** Each variable with those it is useless without. */
const NEEDS: [keyof Env, (keyof Env)[]][] = [
  ['GOOGLE_PICKER_API_KEY', ['GOOGLE_PICKER_CLIENT_ID', 'GOOGLE_PICKER_APP_ID']],
  ['GOOGLE_PICKER_APP_ID', ['GOOGLE_PICKER_CLIENT_ID', 'GOOGLE_PICKER_API_KEY']],
  ['DROPBOX_KEY', ['DROPBOX_SECRET']],
  ['DROPBOX_SECRET', ['DROPBOX_KEY']],
  ['ONEDRIVE_KEY', ['ONEDRIVE_SECRET']],
  ['ONEDRIVE_SECRET', ['ONEDRIVE_KEY']],
  ['GOOGLE_DRIVE_KEY', ['GOOGLE_DRIVE_SECRET']],
  ['GOOGLE_DRIVE_SECRET', ['GOOGLE_DRIVE_KEY']],
];

function findMissing(env: Env): string[] {
  const missing = NEEDS.flatMap(([name, needed]) =>
    env[name] ? needed.filter((each) => !env[each]).map((each) => `${each}: is required with ${name}`) : [],
  );
  // Two variables may need the same third one.
  return [...new Map(missing.map((line) => [line.split(':')[0], line])).values()];
}

function toSettings(env: Env, { isOnlyLocal }: { isOnlyLocal: boolean }) {
  return {
    /** A public server fetches links of others only if its operator wants that. */
    links: env.REMOTE_LINKS ? env.REMOTE_LINKS === 'true' : isOnlyLocal,
    /** Google's own pickers run in the browser, so these keys are public. */
    googlePicker: env.GOOGLE_PICKER_CLIENT_ID
      ? {
          clientId: env.GOOGLE_PICKER_CLIENT_ID,
          /** Null: only photos, since the Drive picker needs these too. */
          drive:
            env.GOOGLE_PICKER_API_KEY && env.GOOGLE_PICKER_APP_ID
              ? { apiKey: env.GOOGLE_PICKER_API_KEY, appId: env.GOOGLE_PICKER_APP_ID }
              : null,
        }
      : null,
    dropbox: toOAuthKeys(env.DROPBOX_KEY, env.DROPBOX_SECRET),
    onedrive: toOAuthKeys(env.ONEDRIVE_KEY, env.ONEDRIVE_SECRET),
    googleDrive: toOAuthKeys(env.GOOGLE_DRIVE_KEY, env.GOOGLE_DRIVE_SECRET),
  };
}

function toOAuthKeys(key: string | undefined, secret: string | undefined) {
  return key && secret ? { key, secret } : null;
}

export const remoteSourceSettings = { variables, findMissing, toSettings };
