import * as z from 'zod';
import { origin, text } from './values.ts';

export const storageVariables = {
  OBJECT_STORAGE: z.enum(['disk', 's3']).default('disk'),
  S3_BUCKET: text.optional(),
  S3_REGION: text.default('us-east-1'),
  S3_ENDPOINT: origin.optional(),
  S3_PATH_STYLE: z.stringbool().default(false),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
};

type Env = z.infer<z.ZodObject<typeof storageVariables>>;

export function missingS3Settings(env: Env): string[] {
  if (env.OBJECT_STORAGE !== 's3') return [];
  const needed = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  return needed.filter((name) => !env[name]).map((name) => `${name}: is required with OBJECT_STORAGE=s3`);
}

export function storageOf(env: Env) {
  return env.OBJECT_STORAGE === 's3'
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
    : ({ kind: 'disk' } as const);
}
