import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Asking all the time would take the processor from what is waited for. */
const POLL_INTERVAL_MS = 5;

const LIMIT_MS = 45_000;

/** Resolves to the pid of a waiting connection when `count` connections wait for a lock. */
export async function waitForBlockedConnection(databaseUrl: string, count = 1): Promise<number> {
  const client = await connect(databaseUrl);
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  for (const end = performance.now() + LIMIT_MS; performance.now() < end;) {
    const { rows } = await client.query<{ pid: number }>(waiting);
    if (rows[0] && rows.length >= count) {
      await client.end();
      return rows[0].pid;
    }
    await pause(POLL_INTERVAL_MS);
  }
  await client.end();
  throw new Error(`No ${count} connections wait for a lock`);
}

/** A transaction that holds what this statement locks, until it is committed. */
export async function holdLocks(databaseUrl: string, text: string, values: unknown[] = []) {
  const client = await connect(databaseUrl);
  await client.query('begin');
  await client.query(text, values);
  return {
    query: (other: string, otherValues: unknown[]) => client.query(other, otherValues),
    async commit() {
      await client.query('commit');
      await client.end();
    },
  };
}

/** Not `for update`: rows of the activity that refer to the user would wait, and be counted. */
export function holdUser(databaseUrl: string, userId: string) {
  return holdLocks(databaseUrl, 'select 1 from users where id = $1 for no key update', [userId]);
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that failed leaves its own open, and drops the database.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
