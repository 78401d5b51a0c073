import pg from 'pg';

/**
 * Its `end()` resolves before the connections are closed. A database that is stopped or dropped next may end one first, and that
 * error would end the process if nothing listened.
 */
export function openTestPool(connectionString: string, options: pg.PoolConfig = {}): pg.Pool {
  return new pg.Pool({ ...options, connectionString }).on('error', () => undefined);
}
