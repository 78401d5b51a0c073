import { setTimeout as pause } from 'node:timers/promises';
import { jobs } from '../../app/jobs.ts';
import { retryDeadlock } from '../../platform/db/retry-deadlock.ts';
import type { Installation } from './installation.ts';

const POLL_INTERVAL_MS = 100;
/** For work that runs, on a busy machine. */
const STEP_MS = 20_000;
/** A worker may be about to take or enqueue a job. */
const MIN_IDLE_POLLS = 3;
const STEPS = [...repeat('1 minute', 3), ...repeat('10 minutes', 3), ...repeat('1 hour', 12)];
/** After that the purges delete what never became a memory. */
const UNTIL_PURGE = '29 hours';

/** What is to be done, without pg-boss's own jobs, and without those that look for emails whose lease has ended. */
const PENDING = `
  select 'upload ' || id as work from uploads where status = 'open' and inbound_message_id is not null
  union all select 'message ' || id from inbound_messages where status = 'accepted'
  union all select 'received email ' || id from inbound_emails where status = 'received'
  union all select 'caricature ' || id from caricatures where status = 'generating'
  union all select 'export ' || id from exports where status = 'making'
  union all select 'import ' || id from imports where status = 'working'
  union all select 'delivery ' || id from deliveries where email_id is null
  union all select 'email ' || id from emails where status = 'waiting'
  union all select 'job ' || name || ' ' || state from pgboss.job
    where state < 'completed' and name not like '\\_\\_%' and not (name = 'send-emails' and start_after > now())`;

/** Jobs that run, or could. */
const DUE = `
  select from pgboss.job where state = 'active' or (state < 'active' and start_after <= now()) limit 1`;

const MOMENTS = `
  select format('%I.%I', table_schema, table_name) as name, array_agg(column_name::text) as columns
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where data_type = 'timestamp with time zone' and table_type = 'BASE TABLE'
    and (table_schema = 'public' or (table_schema = 'pgboss' and table_name = 'job'))
  group by 1`;

/**
 * Waits until all work is done, letting hours pass for what waits for a retry or an expiry, then a day for the purges.
 * @returns what is still pending
 */
export async function settle(installation: Installation): Promise<string[]> {
  for (const step of [null, ...STEPS]) {
    if (step) await passTime(installation, step);
    if ((await untilIdle(installation)) === 'done') break;
  }
  await passTime(installation, UNTIL_PURGE);
  await untilIdle(installation);
  return listPending(installation);
}

/** Lets minutes pass for work that waits for a retry, until these clients have their results. */
export async function passTimeUntil(installation: Installation, results: Promise<unknown>): Promise<void> {
  let hasResults = false;
  void results.catch(() => undefined).finally(() => (hasResults = true));
  while (!hasResults) {
    if ((await untilIdle(installation)) === 'waiting') await passTime(installation, '1 minute');
    else await pause(POLL_INTERVAL_MS);
  }
  await results;
}

type Idleness = 'done' | 'waiting' | 'busy';

/** Waits until nothing runs or is due. What is left then waits for a later moment. */
async function untilIdle(installation: Installation): Promise<Idleness> {
  let idlePolls = 0;
  for (const end = Date.now() + STEP_MS; Date.now() < end; await pause(POLL_INTERVAL_MS)) {
    const { rowCount } = await installation.pool.query(DUE);
    idlePolls = rowCount ? 0 : idlePolls + 1;
    if ((await listPending(installation)).length === 0) return 'done';
    if (idlePolls === MIN_IDLE_POLLS) return 'waiting';
  }
  return 'busy';
}

async function listPending({ pool }: Installation): Promise<string[]> {
  return (await pool.query<{ work: string }>(PENDING)).rows.map(({ work }) => work);
}

/** Makes every stored moment earlier, which is the same as a later clock, and runs the scheduled jobs. */
async function passTime({ pool }: Installation, interval: string): Promise<void> {
  const { rows } = await pool.query<{ name: string; columns: string[] }>(MOMENTS);
  for (const { name, columns } of rows) {
    const earlier = columns.map((column) => `"${column}" = "${column}" - interval '${interval}'`);
    await retryDeadlock(() => pool.query(`update ${name} set ${earlier.join(', ')}`));
  }
  for (const { name } of jobs.filter(({ cron }) => cron))
    await pool.query(`insert into pgboss.job (name, data) values ($1, '{}')`, [name]);
  // Otherwise the workers would look at their next poll, up to a second later.
  await pool.query(`select pg_notify('jobs', name) from pgboss.queue`);
}

function repeat<Item>(item: Item, times: number): Item[] {
  return Array.from({ length: times }, () => item);
}
