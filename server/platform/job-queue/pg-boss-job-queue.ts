import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../db/database-errors.ts';
import { InsufficientStorageError } from '../errors.ts';
import { transactionClient, type Tx } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';
import { RETRY_DELAY_SECONDS, type JobDefinition, type JobHandler, type JobQueue } from './job-queue.ts';

/** pg-boss looks for expired jobs this often. Twice this is the longest delay: it skips a run that comes a millisecond early. */
const MAINTENANCE_INTERVAL_SECONDS = 5;
/** For jobs whose delay has passed, and in case a notification is lost. */
const POLLING_INTERVAL_MS = 1_000;
/** Notified with a queue's name when a transaction that enqueued a job commits. */
const CHANNEL = 'jobs';
const OUTCOME_RETRY_INTERVAL_MS = 500;

/** pg-boss's own queue: when a schedule is due, one process sends the job to insert through it. */
const SCHEDULED_JOBS = { name: '__pgboss__send-it', expireInSeconds: 60 };

const MAX_INSERTED_AT_ONCE = 1000;
/** After this time a job asks again whether the disk has room. */
const NO_ROOM_DELAY_SECONDS = 60;

/** To run later, which is no attempt: the next fetch counts one only of a job that was started before. */
const POSTPONE = `
  update pgboss.job
  set state = 'created', started_on = null, start_after = now() + $3 * interval '1 second',
    keep_until = greatest(keep_until, now() + interval '14 days')
  where name = $1 and id = $2 and state = 'active'`;

/** The queues of former names stay: a process of the earlier release may still finish its active jobs. */
const TAKE_OVER = "update pgboss.job set name = $1 where name = any($2) and state < 'active'";

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
type Run = (payload: unknown) => Promise<void>;

export type DrainableJobQueue = JobQueue & {
  /** For tests: runs all jobs, delayed ones included, until none is left but those that wait for room on the disk. */
  drain(): Promise<void>;
};

/** Writes only what has changed, as most starts change nothing. Call it under a lock: concurrent calls of `pgboss.create_queue` deadlock. */
export async function createQueues(pool: pg.Pool, catalogue: readonly JobDefinition[]): Promise<void> {
  const boss = new PgBoss({ db: connectTo(pool), supervise: false, schedule: false });
  await boss.start();
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  if (!queues.has(SCHEDULED_JOBS.name)) await boss.createQueue(SCHEDULED_JOBS.name);
  for (const job of catalogue) {
    const settings = {
      name: job.name,
      retryLimit: job.retries,
      retryDelay: RETRY_DELAY_SECONDS,
      retryBackoff: true,
      expireInSeconds: job.leaseSeconds ?? job.expireInSeconds,
    };
    const current = queues.get(job.name);
    if (!current) await boss.createQueue(job.name, settings);
    else if (!isDeepStrictEqual({ ...current, ...settings }, current))
      await boss.updateQueue(job.name, settings);
    if (job.formerNames) await pool.query(TAKE_OVER, [job.name, job.formerNames]);
    if (job.cron && schedules.get(job.name) !== job.cron) await boss.schedule(job.name, job.cron, {});
  }
  // Nothing would take the jobs of schedules that only an earlier release had.
  for (const name of schedules.keys()) {
    if (!catalogue.some((job) => job.name === name && job.cron)) await boss.unschedule(name);
  }
  await boss.stop({ graceful: false });
}

/**
 * Stores jobs in our Postgres, so that a transaction can include them. Requires `createQueues`. The workers are our own,
 * since pg-boss 10 does not await the write of a job's outcome and its rejection crashes the process
 * (https://github.com/timgit/pg-boss/issues/577, fixed in releases that need Node 22).
 */
export async function createPgBossJobQueue(options: {
  pool: pg.Pool;
  listener: Listener;
  catalogue: readonly JobDefinition[];
  logger: Logger;
  /** False: only `drain` runs jobs. */
  hasWorkers: boolean;
  pollingIntervalMs?: number;
}): Promise<DrainableJobQueue> {
  const { pool, listener, catalogue, logger, hasWorkers, pollingIntervalMs = POLLING_INTERVAL_MS } = options;
  let isStopped = false;
  const boss = new PgBoss({
    db: connectTo(pool),
    migrate: false,
    schedule: hasWorkers,
    maintenanceIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
  });
  boss.on('error', (error) => {
    if (!isStopped) logger.warn({ err: error }, 'The job queue reported an error');
  });
  const handlers = new Map<string, Run>();
  const workers: Promise<void>[] = [];
  /** By id, the jobs that run or whose outcome is not yet written. */
  const active = new Map<string, QueueSettings>();
  const stopping = new AbortController();
  /** By queue, aborted to end the pause of its idle workers. */
  const pauses = new Map<string, AbortController>();

  await boss.start();
  if (hasWorkers) {
    workers.push(wakeForDueJobs());
    await listener.listen(CHANNEL, { onNotice: wakeWorkers });
    await boss.offWork(SCHEDULED_JOBS.name);
    workers.push(
      takeJobs(SCHEDULED_JOBS, async (job) => void (await boss.insert([job as PgBoss.JobInsert]))),
    );
    for (const { name, runAtStart } of catalogue) if (runAtStart) await boss.send(name, {});
  }

  return {
    async enqueue(tx, job, payload, { delaySeconds = 0 } = {}) {
      const db = connectTo(transactionClient(tx));
      await boss.send(job.name, payload, { startAfter: delaySeconds, db });
      if (delaySeconds === 0) await wake(tx, job);
    },
    async enqueueAll(tx, job, payloads) {
      const db = connectTo(transactionClient(tx));
      for (let start = 0; start < payloads.length; start += MAX_INSERTED_AT_ONCE) {
        const batch = payloads.slice(start, start + MAX_INSERTED_AT_ONCE);
        await boss.insert(
          batch.map((data) => ({ name: job.name, data })),
          { db },
        );
      }
      if (payloads.length > 0) await wake(tx, job);
    },
    wake,
    async deleteMentioning(tx, values) {
      const db = connectTo(transactionClient(tx));
      const mentions = 'exists (select from jsonb_each_text(data) as field where field.value = any($1))';
      for (const table of ['job', 'archive']) {
        await db.executeSql(`delete from pgboss.${table} where state <> 'active' and ${mentions}`, [values]);
      }
      const { rows } = await db.executeSql(`select from pgboss.job where ${mentions} limit 1`, [values]);
      return rows.length > 0;
    },
    work<Payload extends object>(job: JobDefinition<Payload>, handler: JobHandler<Payload>) {
      const run: Run = async (payload) => handler(job.parse(payload), stopping.signal);
      handlers.set(job.name, run);
      for (let n = 0; hasWorkers && n < (job.concurrency ?? 1); n++) workers.push(takeJobs(job, run));
    },
    async check() {
      await boss.getQueueSize(catalogue[0]?.name ?? '');
    },
    async stop(timeoutMs) {
      stopping.abort();
      for (const name of pauses.keys()) wakeWorkers(name);
      const timeout = new AbortController();
      const timedOut = pause(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
      await Promise.race([Promise.all(workers), timedOut]);
      timeout.abort();
      isStopped = true;
      // Return unfinished jobs to the queue. If the database is down, they return when they expire.
      for (const [id, { name }] of active) {
        await boss.fail(name, id).catch((error: unknown) => {
          logger.warn({ err: error, jobId: id }, 'A running job could not be returned to the queue');
        });
      }
      await boss.stop({ graceful: false });
    },
    async drain() {
      let results: boolean[];
      do {
        // One query instead of a fetch from each queue, most of which are empty.
        const { rows } = await pool.query<{ name: string }>(WAITING_QUEUES);
        const waiting = new Set(rows.map(({ name }) => name));
        const queues = [...handlers].filter(([name]) => waiting.has(name));
        results = await Promise.all(queues.map(([name, run]) => runNext(name, run)));
      } while (results.includes(true));
    },
  };

  /** Postgres sends it at the commit, and equal ones of a transaction only once. */
  async function wake(tx: Tx, { name }: Pick<JobDefinition, 'name'>): Promise<void> {
    await connectTo(transactionClient(tx)).executeSql('select pg_notify($1, $2)', [CHANNEL, name]);
  }

  /** Runs one job after another until the queue stops. Never rejects. */
  async function takeJobs(queue: QueueSettings, run: Run): Promise<void> {
    while (!stopping.signal.aborted) {
      // Before the fetch, so that a notification during it is not missed.
      const { signal } = pauseOf(queue.name);
      const job = await fetchNext(queue.name).catch((error: unknown) => {
        // During an outage each worker would log each second. The pool and the maintenance log it.
        if (!isDatabaseUnavailable(error))
          logger.warn({ err: error, job: queue.name }, 'No job could be fetched');
      });
      // Its lease ended during an outage of Postgres while it ran here.
      if (job && active.has(job.id)) continue;
      if (job) await perform(queue, job, run);
      else if (!signal.aborted) await once(signal, 'abort');
    }
  }

  /** One query for all queues: a poll by each worker would keep the pool's connections, and the processor, busy. */
  async function wakeForDueJobs(): Promise<void> {
    const { signal } = stopping;
    for (;;) {
      await pause(pollingIntervalMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const due = await pool.query<{ name: string }>(DUE_QUEUES).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) logger.warn({ err: error }, 'The queues could not be polled');
      });
      for (const { name } of due?.rows ?? []) wakeWorkers(await takeOver(name));
    }
  }

  /** A job that was active under its former name when this process started may be retried. @returns the current name */
  async function takeOver(name: string): Promise<string> {
    const current = catalogue.find((job) => job.formerNames?.includes(name));
    if (!current) return name;
    await pool.query(TAKE_OVER, [current.name, [name]]).catch((error: unknown) => {
      logger.warn({ err: error }, 'Jobs of a former name could not be taken over');
    });
    return current.name;
  }

  function pauseOf(name: string): AbortController {
    const current = pauses.get(name) ?? new AbortController();
    pauses.set(name, current);
    return current;
  }

  /** Busy workers look for the next job anyway, so many notifications cause no more fetches than there are workers. */
  function wakeWorkers(name: string): void {
    pauses.get(name)?.abort();
    pauses.delete(name);
  }

  async function perform(queue: QueueSettings, { id, data }: PgBoss.Job<unknown>, run: Run): Promise<void> {
    active.set(id, queue);
    const stopExtending = extendLease(queue, id);
    let write: () => Promise<unknown> = () => boss.complete(queue.name, id);
    try {
      await withTimeout(run(data), queue.expireInSeconds);
    } catch (error) {
      if (!isStopped) logError(error, queue.name, id);
      // The error is only logged: it may contain characters that jsonb rejects, and personal data.
      write = () => (isNoRoom(error) ? postpone(queue.name, id) : boss.fail(queue.name, id));
    }
    // A job without an outcome runs again when it expires.
    while (!isStopped && !(await isWritten(write, id))) await pause(OUTCOME_RETRY_INTERVAL_MS);
    stopExtending();
    if (!isStopped) active.delete(id);
  }

  function extendLease({ name, leaseSeconds }: QueueSettings, id: string): () => void {
    if (leaseSeconds === undefined) return () => undefined;
    const extend = () =>
      pool.query(EXTEND_LEASE, [name, id]).catch((error: unknown) => {
        logger.warn({ err: error, jobId: id }, 'The lease of a job could not be extended');
      });
    const timer = setInterval(() => void extend(), (leaseSeconds * 1000) / 3);
    timer.unref();
    return () => clearInterval(timer);
  }

  function logError(error: unknown, job: string, jobId: string): void {
    if (isNoRoom(error)) logger.warn({ job, jobId }, 'A job waits for room on the disk');
    else logger.error({ err: error, job, jobId }, 'A job failed');
  }

  function postpone(name: string, id: string): Promise<unknown> {
    return pool.query(POSTPONE, [name, id, NO_ROOM_DELAY_SECONDS]);
  }

  async function isWritten(write: () => Promise<unknown>, jobId: string): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      logger.warn({ err: error, jobId }, 'The outcome of a job could not be written yet');
      return false;
    }
  }

  /** Null when the queue is empty. `boss.fetch` alone would also return nothing when its statement fails. */
  async function fetchNext(name: string, fetchOptions = {}): Promise<PgBoss.Job<unknown> | null> {
    let queryError: Error | undefined;
    const executeSql = (text: string, values: unknown[]) =>
      pool.query(text, values).catch((error: Error) => {
        queryError = error;
        throw error;
      });
    const [job] = await boss.fetch<unknown>(name, { ...fetchOptions, db: { executeSql } });
    if (queryError) throw queryError;
    return job ?? null;
  }

  async function runNext(name: string, run: Run): Promise<boolean> {
    const job = await fetchNext(name, { ignoreStartAfter: true });
    if (!job) return false;
    try {
      await run(job.data);
      await boss.complete(name, job.id);
    } catch (error) {
      if (isNoRoom(error)) {
        await postpone(name, job.id);
        return false;
      }
      await boss.fail(name, job.id);
      throw error;
    }
    return true;
  }
}

function isNoRoom(error: unknown): boolean {
  return error instanceof InsufficientStorageError;
}

function connectTo(connection: pg.Pool | pg.ClientBase): PgBoss.Db {
  return { executeSql: (text, values) => connection.query(text, values) };
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
