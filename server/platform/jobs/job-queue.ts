import type { Tx } from '../db/database.ts';

/** Before the first retry a job waits twice this at most, and before each further one twice as long as before. */
export const RETRY_DELAY_SECONDS = 5;

/** A kind of job, apart from what it does: `jobs/job-catalogue.ts` lists them all. */
export type JobDefinition<Payload extends object = object> = {
  name: string;
  /** @throws when the stored payload is not what this version expects */
  parse: (payload: unknown) => Payload;
  /** How often it is tried again after a failure, with growing pauses. */
  retries: number;
  /** After how long a job whose worker vanished is given to another. Longer than the job ever takes. */
  expireInSeconds: number;
  /** How many a process works on at the same time; one, when absent. */
  concurrency?: number;
  /** For jobs that come by themselves: minute, hour, day, month, weekday, in UTC. */
  cron?: string;
  /** Also whenever a process begins to work: what an earlier one has left is not waited for. */
  runAtStart?: boolean;
};

/**
 * Handlers run at least once: they are idempotent. One that does many things in a row begins no further one after
 * `stopping`: the process ends soon, whatever it is in the middle of.
 */
export type JobHandler<Payload extends object> = (payload: Payload, stopping?: AbortSignal) => Promise<void>;

export type JobQueue = {
  /** In the transaction that makes the job necessary: either both come true or neither. */
  enqueue<Payload extends object>(
    tx: Tx,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: { delaySeconds?: number },
  ): Promise<void>;
  /** Starts working on a kind of job in this process. */
  work<Payload extends object>(job: JobDefinition<Payload>, handler: JobHandler<Payload>): void;
  /** Fails when the queue does not answer. */
  check(): Promise<void>;
  /** Takes no new jobs and waits for the running ones, at most this long. */
  stop(timeoutMs: number): Promise<void>;
};
