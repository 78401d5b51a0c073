import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Runs a statement in the server's database. @returns the number of rows */
export async function inDatabase(text: string, values: string[] = []): Promise<number> {
  return withDatabase(async (database) => (await database.query(text, values)).rowCount ?? 0);
}

/** In one transaction. */
export async function withDatabase<Result>(use: (database: pg.Client) => Promise<Result>): Promise<Result> {
  const database = new pg.Client(await getDatabaseConfig());
  await database.connect();
  try {
    await database.query('begin');
    const result = await use(database);
    await database.query('commit');
    return result;
  } finally {
    await database.end();
  }
}

/** Of the worker's app, or of an embedded Postgres, whose socket is in its postmaster.pid. */
export async function getDatabaseConfig(folder?: string): Promise<pg.ClientConfig> {
  const connectionString = process.env['E2E_DATABASE_URL'];
  if (connectionString && !folder) return { connectionString };
  return findEmbeddedPostgres(folder ?? dataDir());
}

async function findEmbeddedPostgres(folder: string): Promise<pg.ClientConfig> {
  const postmaster = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8');
  const [, , , port, host] = postmaster.split('\n');
  const password = (await readFile(join(folder, 'secrets', 'postgres'), 'utf8')).trim();
  return { host: host!, port: Number(port), user: 'postgres', password, database: 'mems' };
}

/** Of the worker's app. */
export function dataDir(): string {
  const dir = process.env['E2E_DATA_DIR'];
  if (!dir) throw new Error('E2E_DATA_DIR names no data folder: it goes with E2E_BASE_URL');
  return dir;
}
