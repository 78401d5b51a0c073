import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { createAccountSlots } from '../limits/account-slots.ts';

/** The rest is for sessions, jobs and webhooks. */
const SHARE_OF_ACCOUNTS = 0.8;
const MAX_IN_LINE = 200;
/** Less than a statement may take. */
const MAX_WAIT_MS = 15_000;

const accounts = new AsyncLocalStorage<string | null>();

/** The connections that `work` takes count for this account, or for this address of a visitor. */
export function runForAccount(account: string, work: () => void): void {
  accounts.run(account, work);
}

export function runWithoutAccount<Result>(work: () => Result): Result {
  return accounts.run(null, work);
}

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: pg.PoolClient['release'],
) => void;

/** Limits the connections of one account: its statements may wait for its own locks, and would use up the pool. */
export function createAccountPool(options: pg.PoolConfig & { max: number }): pg.Pool {
  const total = Math.max(1, Math.floor(options.max * SHARE_OF_ACCOUNTS));
  const slots = createAccountSlots({
    slots: total,
    total,
    maxInLine: MAX_IN_LINE,
    maxWaitMs: MAX_WAIT_MS,
    name: 'database',
    message: 'Too much is going on at once. Please try again in a moment.',
  });
  const pool = new pg.Pool(options);
  const connect = pool.connect.bind(pool);

  async function connectForAccount(account: string): Promise<pg.PoolClient> {
    const free = await slots.take(account);
    try {
      const client = await connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        release(error);
        free();
      };
      return client;
    } catch (error) {
      free();
      throw error;
    }
  }

  // Also called by the pool's own `query`, with a callback.
  pool.connect = ((callback?: Callback) => {
    const account = accounts.getStore();
    if (!account) return callback ? connect(callback as never) : connect();
    const connected = connectForAccount(account);
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }) as typeof pool.connect;
  return pool;
}
