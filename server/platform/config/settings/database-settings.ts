import type * as z from 'zod';
import { count, text } from './setting-schemas.ts';

const postgresUrl = text.regex(
  /^postgres(ql)?:\/\/\S+$/,
  'must be a Postgres address like postgres://user:password@host:5432/mems',
);

/** An inbound email's row is locked over one connection while its photos are added over another. */
const poolSize = count
  .min(2, 'must be 2 or more: adding photos from an email needs two connections at once')
  .max(1000);

const variables = {
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: poolSize.default(10),
};

function toSettings(env: z.infer<z.ZodObject<typeof variables>>) {
  return env.DATABASE_URL
    ? ({ kind: 'external', url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE } as const)
    : ({ kind: 'embedded', poolSize: env.DATABASE_POOL_SIZE } as const);
}

export const databaseSettings = { variables, toSettings };
