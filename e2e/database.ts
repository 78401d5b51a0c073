import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import pg from 'pg';

/** The running server's database, for what no call does. */
export async function withDatabase<Result>(work: (database: pg.Client) => Promise<Result>): Promise<Result> {
  const database = new pg.Client(await addressOfDatabase());
  await database.connect();
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}

/** The token of a mail that confirms an address: where mail stays on the machine, no such mail is sent. */
export async function addVerificationToken(page: Page): Promise<string> {
  const { id: ownerId } = (await (await page.request.get('/api/user')).json()) as { id: string };
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest('base64url');
  await withDatabase((database) =>
    database.query(
      `insert into account_tokens (id, owner_id, purpose, token_hash, expires_at)
       values ($1, $2, 'verify-email', $3, now() + interval '1 day')`,
      [randomUUID(), ownerId, hash],
    ),
  );
  return token;
}

/** The embedded Postgres says in its own file where its socket is. */
async function addressOfDatabase(): Promise<pg.ClientConfig> {
  const postmaster = await readFile(join(dataDir(), 'postgres', 'postmaster.pid'), 'utf8');
  const [, , , port, host] = postmaster.split('\n');
  const password = (await readFile(join(dataDir(), 'secrets', 'postgres'), 'utf8')).trim();
  return { host: host!, port: Number(port), user: 'postgres', password, database: 'mems' };
}

export function dataDir(): string {
  const dir = process.env['E2E_DATA_DIR'];
  if (!dir) throw new Error('E2E_DATA_DIR names no data folder: it goes with E2E_BASE_URL');
  return dir;
}
