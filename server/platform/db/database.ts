import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

/** The database, outside any transaction. */
export type Db = NodePgDatabase;

/** An open transaction. A function that takes `Db | Tx` may run in either. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export type Database = {
  pool: pg.Pool;
  db: Db;
  /** Fails within two seconds when Postgres takes no new connection, though those that are open may still work. */
  check: () => Promise<void>;
  close(): Promise<void>;
};

const CHECK_TIMEOUT_MS = 2_000;

/** By what name Postgres knows our connections. */
export const APPLICATION_NAME = 'mems-are-forever';

/** Opens a pool. Waiting for a connection, or for an answer, ends with an error instead of a request that hangs. */
export function openDatabase(options: {
  url: string;
  poolSize: number;
  onError: (error: Error) => void;
}): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: APPLICATION_NAME,
    // A request reads few rows: helper processes take longer to start than they save, and other requests' cores.
    options: '-c max_parallel_workers_per_gather=0',
  });
  // An idle connection that breaks (Postgres restarted) is replaced by the pool; unheard, it would end the process.
  let isClosing = false;
  pool.on('error', (error) => isClosing || options.onError(error));
  // One that breaks in the middle of a transaction fails that; nobody else need hear of it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Anyone may ask whether the app is ready: each with a connection, they would use up those of Postgres.
  let checking: Promise<void> | undefined;
  const close = () => {
    isClosing = true;
    return pool.end();
  };
  return {
    pool,
    db: withSafeTransactions(drizzle(pool), pool),
    check: () => (checking ??= checkServer(options.url).finally(() => (checking = undefined))),
    close,
  };
}

async function checkServer(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CHECK_TIMEOUT_MS,
    query_timeout: CHECK_TIMEOUT_MS,
    application_name: APPLICATION_NAME,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    // A server that does not answer does not say goodbye either.
    client.end().catch(() => undefined);
  }
}

/** Drizzle never gives a connection back on which `begin` fails: a few of those, and the pool has none left. */
function withSafeTransactions(db: Db, pool: pg.Pool): Db {
  db.transaction = async (act, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(act, config);
    } finally {
      client.release();
    }
  };
  return db;
}
