import pg from 'pg';
import type { TestClient } from '../clients/test-client.ts';

/** Without what a worker writes. */
const UNFINISHED_JOBS = `(select id, name, data, priority, retry_limit, retry_count, retry_delay, retry_backoff, start_after,
  singleton_key, singleton_on, expire_in, created_on, keep_until, policy from pgboss.job where state <= 'active')`;

/** Every row of every table as JSON, by table, sorted, and the unfinished jobs. For comparing two databases. */
export async function readAllRows(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'drizzle') order by 1`);
    const rowsByTable: Record<string, string[]> = {};
    for (const { name } of [...tables, { name: UNFINISHED_JOBS }]) {
      const { rows } = await client.query<{ row: string }>(
        `select to_jsonb(each)::text as row from ${name} as each order by 1`,
      );
      rowsByTable[name] = rows.map(({ row }) => row);
    }
    return rowsByTable;
  } finally {
    await client.end();
  }
}

/** Events of requests are stored up to half a second later, unless a user reads theirs: then all are. */
export async function storeActivity(client: TestClient): Promise<void> {
  await client.get('/api/user/activity');
}
