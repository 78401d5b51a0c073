import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { projectRoot } from '../project-root.ts';
import { StartupError } from '../startup-error.ts';

/** Any number that nobody else uses: whoever holds it is migrating, the others wait. */
const MIGRATION_LOCK = 6_367_001;

/**
 * Brings the schema up to date, then runs `prepare`, which may use other connections. Safe to call from several
 * processes at once: they take turns under a lock.
 * @throws StartupError when the database does not answer
 */
export async function migrateDatabase(url: string, prepare?: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener, an error while the connection is idle crashes the process. Its next query fails anyway.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new StartupError(`The database does not answer (${errorText(error)}). Please check DATABASE_URL.`);
  });
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle(client), { migrationsFolder: join(projectRoot, 'migrations') });
    await prepare?.();
  } finally {
    await client.end();
  }
}

/** A host with several addresses fails with all their errors together, and no words of its own. */
function errorText(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorText).join(', ');
  return error instanceof Error ? error.message : String(error);
}
