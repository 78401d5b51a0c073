import { sql, type SQL } from 'drizzle-orm';
import type pg from 'pg';
import PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { Tx } from '../../db/database.ts';
import {
  RETRY_DELAY_SECONDS,
  type JobDefinition,
  type JobHandler,
  type JobQueue,
} from '../../ports/job-queue.ts';

/** How soon a job whose worker was killed is seen to have expired: twice this at most, as pg-boss skips what comes a millisecond early. */
const MAINTENANCE_INTERVAL_SECONDS = 5;

/** A queue that a test can empty by itself instead of waiting for the workers. */
export type DrainableJobQueue = JobQueue & {
  /** Runs all jobs, the delayed ones too, until none is left. */
  drain(): Promise<void>;
};

/** Jobs in the same Postgres as everything else (schema `pgboss`), so that a transaction can hold both. */
export async function createPgBossJobQueue(options: {
  pool: pg.Pool;
  catalogue: readonly JobDefinition[];
  logger: Logger;
  /** False: only `drain` runs jobs. */
  isWorking: boolean;
}): Promise<DrainableJobQueue> {
  const { pool, logger } = options;
  let isStopped = false;
  const boss = new PgBoss({
    db: {
      // A job that outlasts our patience is the queue's again when that has stopped: how it ends is no news any more.
      executeSql: (text, values) => (isStopped ? new Promise(() => undefined) : pool.query(text, values)),
    },
    schedule: options.isWorking,
    maintenanceIntervalSeconds: MAINTENANCE_INTERVAL_SECONDS,
  });
  boss.on('error', (error) => logger.warn({ err: error }, 'The job queue had a problem'));
  await boss.start();
  for (const job of options.catalogue) {
    const settings = {
      name: job.name,
      retryLimit: job.retries,
      retryDelay: RETRY_DELAY_SECONDS,
      retryBackoff: true,
      expireInSeconds: job.expireInSeconds,
    };
    await boss.createQueue(job.name, settings);
    await boss.updateQueue(job.name, settings);
    if (job.cron && options.isWorking) await boss.schedule(job.name, job.cron, {});
    if (job.isRunAtStart && options.isWorking) await boss.send(job.name, {});
  }
  // What an earlier version had come by itself, nobody would take any more.
  for (const { name } of options.isWorking ? await boss.getSchedules() : []) {
    if (!options.catalogue.some((job) => job.name === name)) await boss.unschedule(name);
  }
  const handlers = new Map<string, (payload: unknown) => Promise<void>>();

  return {
    async enqueue(tx, job, payload, { delaySeconds = 0 } = {}) {
      await boss.send(job.name, payload, {
        startAfter: delaySeconds,
        db: { executeSql: (text, values) => executeIn(tx, text, values) },
      });
    },
    async work<Payload extends object>(job: JobDefinition<Payload>, handler: JobHandler<Payload>) {
      const run = (payload: unknown) => handler(job.parse(payload));
      handlers.set(job.name, run);
      if (!options.isWorking) return;
      const work: PgBoss.WorkHandler<unknown> = async ([taken]) => {
        if (!taken) return;
        try {
          await run(taken.data);
        } catch (error) {
          if (!isStopped) logger.error({ err: error, job: job.name, jobId: taken.id }, 'A job failed');
          throw error;
        }
      };
      for (let n = 0; n < (job.atOnce ?? 1); n++)
        await boss.work(job.name, { pollingIntervalSeconds: 1 }, work);
    },
    async check() {
      await boss.getQueueSize(options.catalogue[0]?.name ?? '');
    },
    async stop(timeoutMs) {
      await boss.stop({ graceful: true, wait: true, timeout: timeoutMs });
      isStopped = true;
    },
    async drain() {
      while ((await Promise.all([...handlers].map(([name, run]) => runNext(name, run)))).includes(true));
    },
  };

  async function runNext(name: string, run: (payload: unknown) => Promise<void>): Promise<boolean> {
    // `fetch` takes a statement that fails for an empty queue.
    let problem: Error | undefined;
    const executeSql = (text: string, values: unknown[]) =>
      pool.query(text, values).catch((error: Error) => {
        problem = error;
        throw error;
      });
    const [taken] = await boss.fetch(name, { ignoreStartAfter: true, db: { executeSql } });
    if (problem) throw problem;
    if (!taken) return false;
    try {
      await run(taken.data);
      await boss.complete(name, taken.id);
    } catch (error) {
      await boss.fail(name, taken.id, { message: String(error) });
      throw error;
    }
    return true;
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
