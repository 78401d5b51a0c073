import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { projectRoot } from '../project-root.ts';
import { StartupError } from '../startup-error.ts';

/** An arbitrary key for the advisory lock. */
const MIGRATION_LOCK = 6_367_001;

/** Migrates the schema, then runs `prepare`, both under a lock. @throws StartupError if the database does not answer */
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

/** A host with several addresses causes an AggregateError without a message. */
function errorText(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorText).join(', ');
  return error instanceof Error ? error.message : String(error);
}
