import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { createAccountPool, runWithoutAccount } from './account-pool.ts';

export type Db = NodePgDatabase;

export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];

export type Database = {
  pool: pg.Pool;
  db: Db;
  /** Opens a new connection. Fails after two seconds, even while open connections still work. */
  check: () => Promise<void>;
  close(): Promise<void>;
};

const CHECK_TIMEOUT_MS = 2_000;

export const APPLICATION_NAME = 'mems-are-forever';

export function openDatabase(options: {
  url: string;
  poolSize: number;
  onError: (error: Error) => void;
}): Database {
  const pool = createAccountPool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    application_name: APPLICATION_NAME,
    // Requests read few rows: starting parallel workers costs more than they save, and takes other requests' cores.
    options: '-c max_parallel_workers_per_gather=0',
  });
  // Without a listener, an error on an idle connection crashes the process. The pool replaces the connection.
  let isClosing = false;
  pool.on('error', (error) => isClosing || options.onError(error));
  // The same for a connection in use. Its query fails with the error.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Shared by concurrent calls: the readiness check is public and must not use up Postgres's connections.
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
    // Not awaited: a server that does not answer does not close the connection either.
    client.end().catch(() => undefined);
  }
}

const clients = new WeakMap<Tx, pg.ClientBase>();

/** For libraries with their own SQL. */
export function transactionClient(tx: Tx): pg.ClientBase {
  const client = clients.get(tx);
  if (!client) throw new Error('This transaction was not opened by openDatabase');
  return client;
}

/**
 * Drizzle's own `transaction` does not release the connection when BEGIN fails, and after a failed ROLLBACK returns a
 * connection to the pool that may still be in the transaction. Here each of these errors closes the connection. A second connection
 * that `act` needs is not the account's: it would wait for its own first one.
 */
function withSafeTransactions(db: Db, pool: pg.Pool): Db {
  db.transaction = async (act, config) => {
    const client = await pool.connect();
    let callbackError: unknown;
    try {
      const result = await drizzle(client).transaction(async (tx) => {
        clients.set(tx, client);
        return runWithoutAccount(() => act(tx)).catch((error: unknown) => {
          callbackError = error;
          throw error;
        });
      }, config);
      client.release();
      return result;
    } catch (error) {
      client.release(error === callbackError ? undefined : (error as Error));
      throw error;
    }
  };
  return db;
}
