import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { projectRoot } from '../project-root.ts';

/** Any number that nobody else uses: whoever holds it is migrating, the others wait. */
const MIGRATION_LOCK = 6_367_001;

/** Brings the schema up to date. Safe to call from several processes at once: they take turns under a lock. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder: join(projectRoot, 'migrations') });
  } finally {
    await client.end();
  }
}
