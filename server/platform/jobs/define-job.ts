import type * as z from 'zod';
import type { AppContext } from '../context.ts';
import type { JobDefinition } from '../job-queue/job-queue.ts';

/** A kind of job: its queue, its payload and its handler. `app/jobs.ts` lists them all. */
export type Job<Payload extends object = object> = JobDefinition<Payload> & {
  /** Runs at least once per job, so it must be idempotent. A loop ends after `stopping`: the process is about to exit. */
  handle(context: AppContext, payload: Payload, stopping?: AbortSignal): Promise<void>;
};

export function defineJob<Payload extends object>({
  payload,
  ...job
}: Omit<Job<Payload>, 'parse'> & { payload: z.ZodType<Payload> }): Job<Payload> {
  return { ...job, parse: (stored) => payload.parse(stored) };
}
