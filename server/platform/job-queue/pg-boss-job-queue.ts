import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import { transactionClient, type Tx } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';
import { RETRY_DELAY_SECONDS, type JobDefinition, type JobHandler, type JobQueue } from './job-queue.ts';
import { JobWorkers, TAKE_OVER, type Run } from './job-workers.ts';

/** pg-boss looks for expired jobs this often. Twice this is the longest delay: it skips a run that comes a millisecond early. */
const MAINTENANCE_INTERVAL_SECONDS = 5;
/** For jobs whose delay has passed, and in case a notification is lost. */
const POLLING_INTERVAL_MS = 1_000;
/** Notified with a queue's name when a transaction that enqueued a job commits. */
const CHANNEL = 'jobs';

/** pg-boss's own queue: when a schedule is due, one process sends the job to insert through it. */
const SCHEDULED_JOBS = { name: '__pgboss__send-it', expireInSeconds: 60 };

const MAX_INSERTED_AT_ONCE = 1000;

export type DrainableJobQueue = JobQueue & {
  /** For tests: runs all jobs, delayed ones included, until none is left but those that wait for room on the disk. */
  drain(): Promise<void>;
};

type Options = {
  pool: pg.Pool;
  listener: Listener;
  catalogue: readonly JobDefinition[];
  logger: Logger;
  /** False: only `drain` runs jobs. */
  hasWorkers: boolean;
  pollingIntervalMs?: number;
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

/** Stores jobs in our Postgres, so that a transaction can include them. Requires `createQueues`. */
export async function createPgBossJobQueue(options: Options): Promise<DrainableJobQueue> {
  const { pool, catalogue, logger, hasWorkers } = options;
  const boss = new PgBoss({
    db: connectTo(pool),
    migrate: false,
    schedule: hasWorkers,
    maintenanceIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
  });
  const workers = new JobWorkers({ boss, pool, logger });
  boss.on('error', (error) => {
    if (!workers.isStopped) logger.warn({ err: error }, 'The job queue reported an error');
  });
  await boss.start();
  if (hasWorkers) await startWorkers(boss, workers, options);
  return {
    enqueue: (tx, job, payload, { delaySeconds = 0 } = {}) => enqueue(boss, tx, job, payload, delaySeconds),
    enqueueAll: (tx, job, payloads) => enqueueAll(boss, tx, job, payloads),
    wake,
    deleteMentioning,
    work<Payload extends object>(job: JobDefinition<Payload>, handler: JobHandler<Payload>) {
      const run: Run = async (payload) => handler(job.parse(payload), workers.stopping);
      workers.register(job, run);
      for (let n = 0; hasWorkers && n < (job.concurrency ?? 1); n++) workers.start(job, run);
    },
    async check() {
      await boss.getQueueSize(catalogue[0]?.name ?? '');
    },
    stopTaking: () => workers.stopTaking(),
    async stop(timeoutMs) {
      await workers.stop(timeoutMs);
      await boss.stop({ graceful: false });
    },
    drain: () => workers.drain(),
  };
}

async function startWorkers(boss: PgBoss, workers: JobWorkers, options: Options): Promise<void> {
  const { listener, catalogue, pollingIntervalMs = POLLING_INTERVAL_MS } = options;
  workers.startPolling(catalogue, pollingIntervalMs);
  await listener.listen(CHANNEL, { onNotice: (name) => workers.wake(name) });
  await boss.offWork(SCHEDULED_JOBS.name);
  workers.start(SCHEDULED_JOBS, async (job) => void (await boss.insert([job as PgBoss.JobInsert])));
  for (const { name, runAtStart } of catalogue) if (runAtStart) await boss.send(name, {});
}

async function enqueue(
  boss: PgBoss,
  tx: Tx,
  job: Pick<JobDefinition, 'name'>,
  payload: object,
  delaySeconds: number,
): Promise<void> {
  await boss.send(job.name, payload, { startAfter: delaySeconds, db: connectTo(transactionClient(tx)) });
  if (delaySeconds === 0) await wake(tx, job);
}

async function enqueueAll(
  boss: PgBoss,
  tx: Tx,
  job: Pick<JobDefinition, 'name'>,
  payloads: object[],
): Promise<void> {
  const db = connectTo(transactionClient(tx));
  for (let start = 0; start < payloads.length; start += MAX_INSERTED_AT_ONCE) {
    const batch = payloads.slice(start, start + MAX_INSERTED_AT_ONCE);
    await boss.insert(
      batch.map((data) => ({ name: job.name, data })),
      { db },
    );
  }
  if (payloads.length > 0) await wake(tx, job);
}

/** Postgres sends it at the commit, and equal ones of a transaction only once. */
async function wake(tx: Tx, { name }: Pick<JobDefinition, 'name'>): Promise<void> {
  await connectTo(transactionClient(tx)).executeSql('select pg_notify($1, $2)', [CHANNEL, name]);
}

async function deleteMentioning(tx: Tx, values: string[]): Promise<boolean> {
  const db = connectTo(transactionClient(tx));
  const mentions = 'exists (select from jsonb_each_text(data) as field where field.value = any($1))';
  for (const table of ['job', 'archive']) {
    await db.executeSql(`delete from pgboss.${table} where state <> 'active' and ${mentions}`, [values]);
  }
  const { rows } = await db.executeSql(`select from pgboss.job where ${mentions} limit 1`, [values]);
  return rows.length > 0;
}

function connectTo(connection: pg.Pool | pg.ClientBase): PgBoss.Db {
  return { executeSql: (text, values) => connection.query(text, values) };
}
