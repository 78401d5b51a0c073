import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { listTables, UNFINISHED_JOBS, type CopiedTable } from './backup-tables.ts';

/** Values as text mean the same on every server. A copy may take longer than a server's timeouts. */
const SETTINGS = `
  set datestyle = 'ISO';
  set intervalstyle = 'postgres';
  set timezone = 'UTC';
  set extra_float_digits = 1;
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0`;

/** A connection of its own, to be ended after the copy: a failed COPY leaves it unusable. */
export async function openCopyClient(connectionString: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    application_name: name,
    // It may be idle for long, behind a router that forgets such connections.
    keepAlive: true,
  });
  // Without a listener, an error while the connection is idle crashes the process. Its next query fails anyway.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(SETTINGS);
  return client;
}

/** The rows in COPY's text format. To be read to its end, or the client to be ended. */
export function copyTableOut(client: pg.ClientBase, table: CopiedTable): Readable {
  const columns = quoteAll(table.columns);
  // A running job is to run again.
  const source =
    table.name === UNFINISHED_JOBS.name
      ? `(select ${columns} from pgboss.job where state <= 'active' order by created_on, id)`
      : `public.${quote(table.name)} (${columns})`;
  return client.query(copyTo(`copy ${source} to stdout`));
}

type LoadOptions = {
  /** By former name, of the jobs that have been renamed since the rows were written. */
  currentJobNames?: Record<string, string>;
  beforeCommit?: () => Promise<unknown>;
};

/**
 * Replaces the contents of all tables, and the jobs, in one transaction. The schema must be the one that the rows
 * come from, and each table must follow those that it refers to. Triggers do not run: the rows they wrote are copied too.
 * @throws if the tables or columns differ, or a count does
 */
export async function loadTables(
  client: pg.ClientBase,
  tables: (CopiedTable & { rows: number })[],
  open: (table: CopiedTable) => Readable | Promise<Readable>,
  { currentJobNames = {}, beforeCommit }: LoadOptions = {},
): Promise<void> {
  await client.query('begin');
  const own = await listTables(client);
  requireSameTables(own, tables);
  const names = own.map(({ name }) => `public.${quote(name)}`);
  // Migrations may have inserted rows.
  await client.query(`truncate ${names.join()}`);
  for (const name of names) await client.query(`alter table ${name} disable trigger user`);
  await client.query('delete from pgboss.job');
  for (const table of tables) {
    const rows = await open(table);
    if (table.name === UNFINISHED_JOBS.name) await loadJobs(client, table, rows, currentJobNames);
    else await copyIn(client, `public.${quote(table.name)}`, table, rows);
  }
  for (const name of names) await client.query(`alter table ${name} enable trigger user`);
  await advanceSequences(client);
  await beforeCommit?.();
  await client.query('commit');
}

/** By names, not by order: a column that a later migration added may stand elsewhere in a new database. */
function requireSameTables(own: CopiedTable[], tables: CopiedTable[]): void {
  const describe = (list: CopiedTable[]) =>
    list
      .filter(({ name }) => name !== UNFINISHED_JOBS.name)
      .map(({ name, columns }) => `${name} (${columns.toSorted().join()})`)
      .toSorted()
      .join('\n');
  if (describe(own) !== describe(tables)) throw new Error('These are not the tables of this schema');
}

async function copyIn(
  client: pg.ClientBase,
  target: string,
  table: CopiedTable & { rows: number },
  rows: Readable,
): Promise<void> {
  const writer = client.query(copyFrom(`copy ${target} (${quoteAll(table.columns)}) from stdin`));
  await pipeline(rows, writer);
  if (writer.rowCount !== table.rows)
    throw new Error(`${table.name} has ${writer.rowCount} rows instead of ${table.rows}`);
}

/** Through text, so that the columns' types may differ. Nothing would take the jobs of a queue that is no more. */
async function loadJobs(
  client: pg.ClientBase,
  jobs: CopiedTable & { rows: number },
  rows: Readable,
  currentNames: Record<string, string>,
): Promise<void> {
  const known = UNFINISHED_JOBS.columns.filter((column) => jobs.columns.includes(column));
  const { rows: types } = await client.query<{ name: string; type: string }>(`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped`);
  const columns = types.filter(({ name }) => known.includes(name));
  const declared = jobs.columns.map((column) => `${quote(column)} text`).join();
  await client.query(`create temporary table incoming_jobs (${declared}) on commit drop`);
  await copyIn(client, 'incoming_jobs', jobs, rows);
  await client.query('update incoming_jobs set name = $1::jsonb ->> name where $1::jsonb ? name', [
    JSON.stringify(currentNames),
  ]);
  await client.query(
    `insert into pgboss.job (${quoteAll(columns.map(({ name }) => name))})
     select ${columns.map(({ name, type }) => `${quote(name)}::${type}`).join()} from incoming_jobs
     where name in (select name from pgboss.queue)`,
  );
}

async function advanceSequences(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(`
    select objid::regclass::text as sequence, refobjid::regclass::text as table, attname as column
    from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
      join pg_class on pg_class.oid = objid and relkind = 'S' and relnamespace = 'public'::regnamespace
    where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')`);
  for (const { sequence, table, column } of rows)
    await client.query(
      `select setval('${sequence}', coalesce(max(${quote(column)}), 0) + 1, false) from ${table}`,
    );
}

function quote(name: string): string {
  return pg.escapeIdentifier(name);
}

function quoteAll(names: string[]): string {
  return names.map(quote).join();
}
