import * as z from 'zod/mini';

const DependencyState = z.enum(['up', 'down']);
export type DependencyState = z.infer<typeof DependencyState>;

/** GET /api/health/ready: 200 when ready; 503 while a dependency is down or the server is draining. */
export const Readiness = z.object({
  status: z.enum(['ready', 'unavailable', 'draining']),
  dependencies: z.record(z.string(), DependencyState),
});
export type Readiness = z.infer<typeof Readiness>;
