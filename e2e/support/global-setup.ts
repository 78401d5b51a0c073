import { openDatabase } from '../../server/platform/db/database.ts';
import { parseConfig } from '../../server/platform/config/config.ts';
import { hashPassword } from '../../server/features/accounts/users/passwords/password.ts';
import { createUser } from '../../server/features/accounts/users/user-queries.ts';
import { startTestPostgres } from '../../server/testing/environment/test-postgres.ts';
import { administrator } from './accounts/users.ts';

/** Starts one Postgres for the apps of all workers, with a template database in which the administrator is registered. */
async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['E2E_BASE_URL']) return undefined;
  const postgres = await startTestPostgres(addAdministrator);
  process.env['E2E_POSTGRES_URL'] = postgres.url;
  process.env['E2E_POSTGRES_ADMIN_URL'] = postgres.adminUrl;
  return () => postgres.stop();
}

async function addAdministrator(url: string): Promise<void> {
  const config = parseConfig({ NODE_ENV: 'test' });
  const database = openDatabase({ url, poolSize: 1, onError: () => undefined });
  const { password, ...user } = administrator;
  const passwordHash = await hashPassword({ config }, password);
  await createUser(database.db, { ...user, lastName: null, passwordHash, isAdmin: true });
  await database.close();
}

// Playwright requires a default export.
export { globalSetup as default };
