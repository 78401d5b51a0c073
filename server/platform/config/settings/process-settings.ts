import * as z from 'zod';

/** The process must still have time to finish what is running. */
const MAX_DRAIN_SECONDS = 8;
const DRAIN_MESSAGE = `must be a whole number, 0 to ${MAX_DRAIN_SECONDS}`;
/** `web`: load balancers usually check the readiness every second or two. `worker`: none sends it requests. */
const DEFAULT_DRAIN_SECONDS = { all: 0, web: 3, worker: 0 };

const variables = {
  PROCESS_ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  DRAIN_SECONDS: z.coerce
    .number(DRAIN_MESSAGE)
    .int(DRAIN_MESSAGE)
    .min(0, DRAIN_MESSAGE)
    .max(MAX_DRAIN_SECONDS, DRAIN_MESSAGE)
    .optional(),
};

type Env = z.infer<z.ZodObject<typeof variables>>;
type SharedVariables = Record<'OBJECT_STORAGE', string> &
  Partial<Record<'DATABASE_URL' | 'SESSION_SECRET' | 'PUBLIC_URL', string | undefined>>;

/** Several processes cannot share a data folder, and the links they send must lead to the load balancer. */
function findMissing(env: Env & SharedVariables): string[] {
  if (env.PROCESS_ROLE === 'all') return [];
  const missing = [
    ...(env.DATABASE_URL ? [] : ['DATABASE_URL']),
    ...(env.OBJECT_STORAGE === 's3' ? [] : ['OBJECT_STORAGE=s3']),
    ...(env.SESSION_SECRET ? [] : ['SESSION_SECRET']),
    ...(env.PUBLIC_URL ? [] : ['PUBLIC_URL']),
  ];
  return missing.map((each) => `PROCESS_ROLE: ${env.PROCESS_ROLE} needs ${each}`);
}

function toSettings(env: Env) {
  return {
    /** `web` answers requests and leaves the jobs to `worker`; `all` does both. */
    role: env.PROCESS_ROLE,
    /** How long a process accepts requests after it was told to stop; its readiness check says so meanwhile. */
    drainMs: (env.DRAIN_SECONDS ?? DEFAULT_DRAIN_SECONDS[env.PROCESS_ROLE]) * 1000,
  };
}

export const processSettings = { variables, findMissing, toSettings };
