import * as z from 'zod';
import { origin, text } from './setting-schemas.ts';

const variables = {
  OBJECT_STORAGE: z.enum(['disk', 's3']).default('disk'),
  S3_BUCKET: text.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_ENDPOINT: origin.optional(),
  S3_PATH_STYLE: z.stringbool().default(false),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_SESSION_TOKEN: text.optional(),
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function findMissing(env: Env): string[] {
  if (env.OBJECT_STORAGE !== 's3') return [];
  const isKeyGiven = env.S3_ACCESS_KEY_ID || env.S3_SECRET_ACCESS_KEY || env.S3_SESSION_TOKEN;
  const neededWithKey = isKeyGiven ? (['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const) : [];
  return [
    ...(env.S3_BUCKET ? [] : ['S3_BUCKET: is required with OBJECT_STORAGE=s3']),
    ...neededWithKey
      .filter((name) => !env[name])
      .map(
        (name) =>
          `${name}: is required with the other S3 credentials; without any, the AWS SDK finds its own`,
      ),
  ];
}

function toSettings(env: Env) {
  return env.OBJECT_STORAGE === 's3'
    ? ({
        kind: 's3',
        bucket: env.S3_BUCKET ?? '',
        region: env.S3_REGION,
        endpoint: env.S3_ENDPOINT ?? null,
        isPathStyle: env.S3_PATH_STYLE,
        credentials: credentialsOf(env),
      } as const)
    : ({ kind: 'disk' } as const);
}

/** Null for the AWS SDK's default chain, like the role of the machine. */
function credentialsOf({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_SESSION_TOKEN }: Env) {
  if (!S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return null;
  return {
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    ...(S3_SESSION_TOKEN && { sessionToken: S3_SESSION_TOKEN }),
  };
}

export const storageSettings = { variables, findMissing, toSettings };
