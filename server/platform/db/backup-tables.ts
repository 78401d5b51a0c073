import type pg from 'pg';

/** A table, or the unfinished jobs, with the columns that are copied. Generated columns are not. */
export type CopiedTable = { name: string; columns: string[] };

/** pg-boss creates its own tables, and another release's may differ. Only what a job needs to run is copied. */
export const UNFINISHED_JOBS: CopiedTable = {
  name: 'jobs',
  columns: [
    'id',
    'name',
    'data',
    'priority',
    'retry_limit',
    'retry_count',
    'retry_delay',
    'retry_backoff',
    'start_after',
    'singleton_key',
    'singleton_on',
    'expire_in',
    'created_on',
    'keep_until',
    'policy',
  ],
};

/** The tables that a backup copies: those of the app, and the unfinished jobs. */
export async function listBackupTables(client: pg.ClientBase): Promise<CopiedTable[]> {
  return [...(await listTables(client)), UNFINISHED_JOBS];
}

/** All tables of the app, each after those that it refers to. Drizzle's own is not copied: migrating writes it. */
export async function listTables(client: pg.ClientBase): Promise<CopiedTable[]> {
  const { rows: tables } = await client.query<CopiedTable>(`
    select c.relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class c join pg_attribute on attrelid = c.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by c.oid order by c.relname`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select a.relname as from, b.relname as to
    from pg_constraint join pg_class a on a.oid = conrelid join pg_class b on b.oid = confrelid
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`);
  const ordered: CopiedTable[] = [];
  while (ordered.length < tables.length) {
    const left = tables.filter((table) => !ordered.includes(table));
    const next = left.filter(
      ({ name }) =>
        !references.some(({ from, to }) => from === name && left.some((each) => each.name === to)),
    );
    if (next.length === 0) throw new Error(`${left.map(({ name }) => name).join()} refer to each other`);
    ordered.push(...next);
  }
  return ordered;
}
