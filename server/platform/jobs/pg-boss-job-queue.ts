import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../db/database-errors.ts';
import type { Tx } from '../db/database.ts';
import { RETRY_DELAY_SECONDS, type JobDefinition, type JobHandler, type JobQueue } from './job-queue.ts';

/** How soon a job whose worker was killed is seen to have expired: twice this at most, as pg-boss skips what comes a millisecond early. */
const MAINTENANCE_INTERVAL_SECONDS = 5;
const POLLING_INTERVAL_MS = 1_000;
const OUTCOME_RETRY_INTERVAL_MS = 500;

/** pg-boss's own queue: when a schedule is due, one process puts the job to insert here. */
const SCHEDULED_JOBS = { name: '__pgboss__send-it', expireInSeconds: 60 };

type QueueSettings = Pick<JobDefinition, 'name' | 'expireInSeconds'>;
type Run = (payload: unknown) => Promise<void>;

/** A queue that a test can empty by itself instead of waiting for the workers. */
export type DrainableJobQueue = JobQueue & {
  /** Runs all jobs, the delayed ones too, until none is left. */
  drain(): Promise<void>;
};

/**
 * Creates pg-boss's schema, a queue for each kind of job, and the schedules. For one process at a time: two that call
 * `pgboss.create_queue` at the same moment deadlock.
 */
export async function createQueues(pool: pg.Pool, catalogue: readonly JobDefinition[]): Promise<void> {
  const boss = new PgBoss({ db: connectTo(pool), supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(SCHEDULED_JOBS.name);
  for (const job of catalogue) {
    const settings = {
      name: job.name,
      retryLimit: job.retries,
      retryDelay: RETRY_DELAY_SECONDS,
      retryBackoff: true,
      expireInSeconds: job.expireInSeconds,
    };
    await boss.createQueue(job.name, settings);
    await boss.updateQueue(job.name, settings);
    if (job.cron) await boss.schedule(job.name, job.cron, {});
  }
  // Jobs of schedules that an earlier release had would pile up.
  for (const { name } of await boss.getSchedules()) {
    if (!catalogue.some((job) => job.name === name && job.cron)) await boss.unschedule(name);
  }
  await boss.stop({ graceful: false });
}

/**
 * Jobs in the same Postgres as everything else (schema `pgboss`), so that a transaction can hold both. Expects the
 * queues to exist.
 *
 * Workers are ours: pg-boss 10's write what a job ended with without awaiting it, and a rejection of that ends the
 * process (https://github.com/timgit/pg-boss/issues/577, solved in releases that need Node 22).
 */
export async function createPgBossJobQueue(options: {
  pool: pg.Pool;
  catalogue: readonly JobDefinition[];
  logger: Logger;
  /** False: only `drain` runs jobs. */
  isWorking: boolean;
}): Promise<DrainableJobQueue> {
  const { pool, catalogue, logger, isWorking } = options;
  let isStopped = false;
  const boss = new PgBoss({
    db: connectTo(pool),
    migrate: false,
    schedule: isWorking,
    maintenanceIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
  });
  boss.on('error', (error) => {
    if (!isStopped) logger.warn({ err: error }, 'The job queue had a problem');
  });
  const handlers = new Map<string, Run>();
  const workers: Promise<void>[] = [];
  /** Jobs by id that a worker is running, or whose outcome is not written yet. */
  const active = new Map<string, QueueSettings>();
  const stopping = new AbortController();
  // Each worker that waits for a job listens.
  setMaxListeners(0, stopping.signal);

  await boss.start();
  if (isWorking) {
    await boss.offWork(SCHEDULED_JOBS.name);
    workers.push(
      takeJobs(SCHEDULED_JOBS, async (job) => void (await boss.insert([job as PgBoss.JobInsert]))),
    );
    for (const { name, runAtStart } of catalogue) if (runAtStart) await boss.send(name, {});
  }

  return {
    async enqueue(tx, job, payload, { delaySeconds = 0 } = {}) {
      await boss.send(job.name, payload, {
        startAfter: delaySeconds,
        db: { executeSql: (text, values) => executeIn(tx, text, values) },
      });
    },
    work<Payload extends object>(job: JobDefinition<Payload>, handler: JobHandler<Payload>) {
      const run: Run = async (payload) => handler(job.parse(payload), stopping.signal);
      handlers.set(job.name, run);
      for (let n = 0; isWorking && n < (job.concurrency ?? 1); n++) workers.push(takeJobs(job, run));
    },
    async check() {
      await boss.getQueueSize(catalogue[0]?.name ?? '');
    },
    async stop(timeoutMs) {
      stopping.abort();
      const timeout = new AbortController();
      const patience = pause(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
      await Promise.race([Promise.all(workers), patience]);
      timeout.abort();
      isStopped = true;
      // A job that outlasts the timeout goes back to the queue. Without a database it expires and does so by itself.
      for (const [id, { name }] of active) {
        await boss
          .fail(name, id)
          .catch((error: unknown) => logger.warn({ err: error, jobId: id }, GIVE_BACK_FAILED));
      }
      await boss.stop({ graceful: false });
    },
    async drain() {
      while ((await Promise.all([...handlers].map(([name, run]) => runNext(name, run)))).includes(true));
    },
  };

  /** Runs one job after the other until the queue stops. Never rejects. */
  async function takeJobs(queue: QueueSettings, run: Run): Promise<void> {
    while (!stopping.signal.aborted) {
      const job = await fetchNext(queue.name).catch((error: unknown) => {
        // An outage would be logged each second by each worker; the pool and the maintenance log it.
        if (!isDatabaseUnavailable(error))
          logger.warn({ err: error, job: queue.name }, 'No job could be fetched');
      });
      if (job) await perform(queue, job, run);
      else await pause(POLLING_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function perform(queue: QueueSettings, { id, data }: PgBoss.Job<unknown>, run: Run): Promise<void> {
    active.set(id, queue);
    let write = () => boss.complete(queue.name, id);
    try {
      await inTime(run(data), queue.expireInSeconds);
    } catch (error) {
      if (!isStopped) logger.error({ err: error, job: queue.name, jobId: id }, 'A job failed');
      // The reason stays in the log: an error may hold what jsonb refuses, and what people wrote.
      write = () => boss.fail(queue.name, id);
    }
    while (!isStopped && !(await isWritten(write, id))) await pause(OUTCOME_RETRY_INTERVAL_MS);
    if (!isStopped) active.delete(id);
  }

  /** Without its outcome the job would run again once it expires. */
  async function isWritten(write: () => Promise<unknown>, jobId: string): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      logger.warn({ err: error, jobId }, 'The outcome of a job could not be written yet');
      return false;
    }
  }

  /** Null when the queue is empty. `boss.fetch` says so of a statement that fails, too. */
  async function fetchNext(name: string, fetchOptions = {}): Promise<PgBoss.Job<unknown> | null> {
    let problem: Error | undefined;
    const executeSql = (text: string, values: unknown[]) =>
      pool.query(text, values).catch((error: Error) => {
        problem = error;
        throw error;
      });
    const [job] = await boss.fetch<unknown>(name, { ...fetchOptions, db: { executeSql } });
    if (problem) throw problem;
    return job ?? null;
  }

  async function runNext(name: string, run: Run): Promise<boolean> {
    const job = await fetchNext(name, { ignoreStartAfter: true });
    if (!job) return false;
    try {
      await run(job.data);
      await boss.complete(name, job.id);
    } catch (error) {
      await boss.fail(name, job.id);
      throw error;
    }
    return true;
  }
}

const GIVE_BACK_FAILED = 'A running job could not be given back to the queue';

function connectTo(pool: pg.Pool): PgBoss.Db {
  return { executeSql: (text, values) => pool.query(text, values) };
}

/** Without this limit a handler that hangs would keep its worker for good. */
async function inTime(running: Promise<void>, seconds: number): Promise<void> {
  const timer = new AbortController();
  const timeout = pause(seconds * 1000, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw new Error(`The job takes longer than ${seconds} seconds`);
  });
  try {
    await Promise.race([running, timeout]);
  } finally {
    timeout.catch(() => undefined);
    timer.abort();
  }
}

/**
 * Runs pg-boss's own statement, `$1` and all, inside our transaction. Each use of `$1` becomes a parameter by itself;
 * where one is read as two types, it says that it is the text which both are read from.
 */
async function executeIn(tx: Tx, text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
  const parts: SQL[] = text
    .replace(/CAST\((\$\d+) as/g, 'CAST($1::text as')
    .split(/\$(\d+)/)
    .map((part, index) => (index % 2 === 0 ? sql.raw(part) : sql`${sql.param(values[Number(part) - 1])}`));
  return tx.execute(sql.join(parts));
}
