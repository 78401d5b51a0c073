import type { Tx } from '../db/database.ts';

/** A job waits up to twice this before its first retry, and the delay doubles with each further one. */
export const RETRY_DELAY_SECONDS = 5;

/** A kind of job without its handler, see `defineJob`. */
export type JobDefinition<Payload extends object = object> = {
  name: string;
  /** Of earlier releases, whose waiting jobs it takes over: it must be able to parse their payloads. */
  formerNames?: readonly string[];
  /** @throws when this release cannot read the stored payload */
  parse: (payload: unknown) => Payload;
  /** Attempts after the first, with growing delays. */
  retries: number;
  /** After this time the job fails. Longer than it can take. */
  expireInSeconds: number;
  /** After this time another worker takes a job whose worker died; a living one extends it. `expireInSeconds` by default. */
  leaseSeconds?: number;
  /** Jobs that one process runs at the same time; 1 by default. */
  concurrency?: number;
  /** Schedule in UTC: minute, hour, day, month, weekday. */
  cron?: string;
  /** Also enqueue it when a process starts, to continue the work of one that died. */
  runAtStart?: boolean;
};

export type JobHandler<Payload extends object> = (payload: Payload, stopping?: AbortSignal) => Promise<void>;

export type JobQueue = {
  /** Adds a job in the caller's transaction, so that both are committed or neither. */
  enqueue<Payload extends object>(
    tx: Tx,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: { delaySeconds?: number },
  ): Promise<void>;
  /** Adds many jobs of one kind in few statements. */
  enqueueAll<Payload extends object>(tx: Tx, job: JobDefinition<Payload>, payloads: Payload[]): Promise<void>;
  /** Wakes the workers when the transaction commits, as `enqueue` does. */
  wake(tx: Tx, job: JobDefinition): Promise<void>;
  /** Deletes waiting and finished jobs whose payload has one of these values. @returns whether one is running, and stays */
  deleteMentioning(tx: Tx, values: string[]): Promise<boolean>;
  work<Payload extends object>(job: JobDefinition<Payload>, handler: JobHandler<Payload>): void;
  /** @throws when the queue does not answer */
  check(): Promise<void>;
  /** Takes no more jobs, and asks the running ones to end. */
  stopTaking(): void;
  /** Takes no new jobs and waits for running ones until the timeout. */
  stop(timeoutMs: number): Promise<void>;
};
