import pg from 'pg';

/** Until a request waits for what an open transaction holds. The process id of the connection that waits. */
export async function untilSomebodyWaits(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  for (;;) {
    const { rows } = await client.query<{ pid: number }>(waiting);
    if (!rows[0]) continue;
    await client.end();
    return rows[0].pid;
  }
}
