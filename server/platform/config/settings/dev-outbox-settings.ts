import * as z from 'zod';

const variables = {
  DEV_OUTBOX: z.enum(['true', 'false']).optional(),
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function toSettings(env: Env & { NODE_ENV: string }) {
  /** Its messages contain links that sign in, so in production it must be asked for. */
  return { isEnabled: env.DEV_OUTBOX ? env.DEV_OUTBOX === 'true' : env.NODE_ENV !== 'production' };
}

export const devOutboxSettings = { variables, toSettings };
