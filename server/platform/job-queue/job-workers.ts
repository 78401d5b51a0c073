import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../db/database-errors.ts';
import { InsufficientStorageError } from '../errors.ts';
import type { JobDefinition } from './job-queue.ts';

const OUTCOME_RETRY_INTERVAL_MS = 500;
/** After this time a job asks again whether the disk has room. */
const NO_ROOM_DELAY_SECONDS = 60;

/** To run later, which is no attempt: the next fetch counts one only of a job that was started before. */
const POSTPONE = `
  update pgboss.job
  set state = 'created', started_on = null, start_after = now() + $3 * interval '1 second',
    keep_until = greatest(keep_until, now() + interval '14 days')
  where name = $1 and id = $2 and state = 'active'`;

/** The queues of former names stay: a process of the earlier release may still finish its active jobs. */
export const TAKE_OVER = "update pgboss.job set name = $1 where name = any($2) and state < 'active'";

/** The lease counts from here. */
const EXTEND_LEASE =
  "update pgboss.job set started_on = now() where name = $1 and id = $2 and state = 'active'";

const DUE_QUEUES = {
  name: 'due_queues',
  text: "select distinct name from pgboss.job where state < 'active' and start_after < now()",
};

const WAITING_QUEUES = {
  name: 'waiting_queues',
  text: "select distinct name from pgboss.job where state < 'active'",
};

type QueueSettings = Pick<JobDefinition, 'name' | 'expireInSeconds' | 'leaseSeconds'>;
export type Run = (payload: unknown) => Promise<void>;

/**
 * Runs the jobs of one process. The workers are our own, since pg-boss 10 does not await the write of a job's outcome and
 * its rejection crashes the process (https://github.com/timgit/pg-boss/issues/577, fixed in releases that need Node 22).
 */
export class JobWorkers {
  readonly #boss: PgBoss;
  readonly #pool: pg.Pool;
  readonly #logger: Logger;
  readonly #handlers = new Map<string, Run>();
  readonly #running: Promise<void>[] = [];
  /** By id, the jobs that run or whose outcome is not yet written. */
  readonly #active = new Map<string, QueueSettings>();
  readonly #stopping = new AbortController();
  /** By queue, aborted to end the pause of its idle workers. */
  readonly #pauses = new Map<string, AbortController>();
  #isStopped = false;

  constructor(options: { boss: PgBoss; pool: pg.Pool; logger: Logger }) {
    this.#boss = options.boss;
    this.#pool = options.pool;
    this.#logger = options.logger;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Aborted when running jobs should end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** The handler that `drain` calls. */
  register(queue: QueueSettings, run: Run): void {
    this.#handlers.set(queue.name, run);
  }

  start(queue: QueueSettings, run: Run): void {
    this.#running.push(this.#takeJobs(queue, run));
  }

  startPolling(catalogue: readonly JobDefinition[], intervalMs: number): void {
    this.#running.push(this.#wakeForDueJobs(catalogue, intervalMs));
  }

  /** Busy workers look for the next job anyway, so many notifications cause no more fetches than there are workers. */
  wake(name: string): void {
    this.#pauses.get(name)?.abort();
    this.#pauses.delete(name);
  }

  /** Takes no more jobs, and asks the running ones to end. */
  stopTaking(): void {
    this.#stopping.abort();
    for (const name of this.#pauses.keys()) this.wake(name);
  }

  /** Takes no new jobs and waits for running ones until the timeout. */
  async stop(timeoutMs: number): Promise<void> {
    this.stopTaking();
    const timeout = new AbortController();
    const timedOut = pause(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running), timedOut]);
    timeout.abort();
    this.#isStopped = true;
    // Return unfinished jobs to the queue. If the database is down, they return when they expire.
    for (const [id, { name }] of this.#active) {
      await this.#boss.fail(name, id).catch((error: unknown) => {
        this.#logger.warn({ err: error, jobId: id }, 'A running job could not be returned to the queue');
      });
    }
  }

  /** Runs all jobs, delayed ones included, until none is left but those that wait for room on the disk. */
  async drain(): Promise<void> {
    let results: boolean[];
    do {
      // One query instead of a fetch from each queue, most of which are empty.
      const { rows } = await this.#pool.query<{ name: string }>(WAITING_QUEUES);
      const waiting = new Set(rows.map(({ name }) => name));
      const queues = [...this.#handlers].filter(([name]) => waiting.has(name));
      results = await Promise.all(queues.map(([name, run]) => this.#runNext(name, run)));
    } while (results.includes(true));
  }

  /** Runs one job after another until the queue stops. Never rejects. */
  async #takeJobs(queue: QueueSettings, run: Run): Promise<void> {
    while (!this.stopping.aborted) {
      // Before the fetch, so that a notification during it is not missed.
      const { signal } = this.#pauseOf(queue.name);
      const job = await this.#fetchNext(queue.name).catch((error: unknown) => {
        // During an outage each worker would log each second. The pool and the maintenance log it.
        if (!isDatabaseUnavailable(error))
          this.#logger.warn({ err: error, job: queue.name }, 'No job could be fetched');
      });
      // Its lease ended during an outage of Postgres while it ran here.
      if (job && this.#active.has(job.id)) continue;
      if (job) await this.#perform(queue, job, run);
      else if (!signal.aborted) await once(signal, 'abort');
    }
  }

  /** One query for all queues: a poll by each worker would keep the pool's connections, and the processor, busy. */
  async #wakeForDueJobs(catalogue: readonly JobDefinition[], intervalMs: number): Promise<void> {
    const signal = this.stopping;
    for (;;) {
      await pause(intervalMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const due = await this.#pool.query<{ name: string }>(DUE_QUEUES).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error))
          this.#logger.warn({ err: error }, 'The queues could not be polled');
      });
      for (const { name } of due?.rows ?? []) this.wake(await this.#takeOver(catalogue, name));
    }
  }

  /** A job that was active under its former name when this process started may be retried. @returns the current name */
  async #takeOver(catalogue: readonly JobDefinition[], name: string): Promise<string> {
    const current = catalogue.find((job) => job.formerNames?.includes(name));
    if (!current) return name;
    await this.#pool.query(TAKE_OVER, [current.name, [name]]).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'Jobs of a former name could not be taken over');
    });
    return current.name;
  }

  #pauseOf(name: string): AbortController {
    const current = this.#pauses.get(name) ?? new AbortController();
    this.#pauses.set(name, current);
    return current;
  }

  async #perform(queue: QueueSettings, { id, data }: PgBoss.Job<unknown>, run: Run): Promise<void> {
    this.#active.set(id, queue);
    const stopExtending = this.#extendLease(queue, id);
    let write: () => Promise<unknown> = () => this.#boss.complete(queue.name, id);
    try {
      await withTimeout(run(data), queue.expireInSeconds);
    } catch (error) {
      if (!this.#isStopped) this.#logError(error, queue.name, id);
      // The error is only logged: it may contain characters that jsonb rejects, and personal data.
      write = () => (isNoRoom(error) ? this.#postpone(queue.name, id) : this.#boss.fail(queue.name, id));
    }
    // A job without an outcome runs again when it expires.
    while (!this.#isStopped && !(await this.#isWritten(write, id))) await pause(OUTCOME_RETRY_INTERVAL_MS);
    stopExtending();
    if (!this.#isStopped) this.#active.delete(id);
  }

  #extendLease({ name, leaseSeconds }: QueueSettings, id: string): () => void {
    if (leaseSeconds === undefined) return () => undefined;
    const extend = () =>
      this.#pool.query(EXTEND_LEASE, [name, id]).catch((error: unknown) => {
        this.#logger.warn({ err: error, jobId: id }, 'The lease of a job could not be extended');
      });
    const timer = setInterval(() => void extend(), (leaseSeconds * 1000) / 3);
    timer.unref();
    return () => clearInterval(timer);
  }

  #logError(error: unknown, job: string, jobId: string): void {
    if (isNoRoom(error)) this.#logger.warn({ job, jobId }, 'A job waits for room on the disk');
    else this.#logger.error({ err: error, job, jobId }, 'A job failed');
  }

  #postpone(name: string, id: string): Promise<unknown> {
    return this.#pool.query(POSTPONE, [name, id, NO_ROOM_DELAY_SECONDS]);
  }

  async #isWritten(write: () => Promise<unknown>, jobId: string): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      this.#logger.warn({ err: error, jobId }, 'The outcome of a job could not be written yet');
      return false;
    }
  }

  /** Null when the queue is empty. `boss.fetch` alone would also return nothing when its statement fails. */
  async #fetchNext(name: string, fetchOptions = {}): Promise<PgBoss.Job<unknown> | null> {
    let queryError: Error | undefined;
    const executeSql = (text: string, values: unknown[]) =>
      this.#pool.query(text, values).catch((error: Error) => {
        queryError = error;
        throw error;
      });
    const [job] = await this.#boss.fetch<unknown>(name, { ...fetchOptions, db: { executeSql } });
    if (queryError) throw queryError;
    return job ?? null;
  }

  async #runNext(name: string, run: Run): Promise<boolean> {
    const job = await this.#fetchNext(name, { ignoreStartAfter: true });
    if (!job) return false;
    try {
      await run(job.data);
      await this.#boss.complete(name, job.id);
    } catch (error) {
      if (isNoRoom(error)) {
        await this.#postpone(name, job.id);
        return false;
      }
      await this.#boss.fail(name, job.id);
      throw error;
    }
    return true;
  }
}

function isNoRoom(error: unknown): boolean {
  return error instanceof InsufficientStorageError;
}

/** A handler that hangs would otherwise block its worker forever. */
async function withTimeout(running: Promise<void>, seconds: number): Promise<void> {
  const timer = new AbortController();
  const timeout = pause(seconds * 1000, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error(`The job took longer than ${seconds} seconds`);
  });
  try {
    await Promise.race([running, timeout]);
  } finally {
    timeout.catch(() => undefined);
    timer.abort();
  }
}
