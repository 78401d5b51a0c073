import * as z from 'zod/mini';
import { BackupState } from '../transfers/backup.ts';

const DependencyState = z.enum(['up', 'down']);
export type DependencyState = z.infer<typeof DependencyState>;

/**
 * GET /api/health/ready: 200 when ready; 503 while a dependency is down or the server is draining. At most two seconds old.
 * Only a direct request from the same machine, or one with HEALTH_TOKEN as bearer token, gets more than the status.
 */
export const Readiness = z.object({
  status: z.enum(['ready', 'unavailable', 'draining']),
  dependencies: z.optional(z.record(z.string(), DependencyState)),
  /** Mistakes of the configuration that were noticed since the start, and a disk that is almost full. */
  warnings: z.optional(z.array(z.string())),
  /** Absent if none are configured. */
  backup: z.optional(BackupState),
});
export type Readiness = z.infer<typeof Readiness>;
