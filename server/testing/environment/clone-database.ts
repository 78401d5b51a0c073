import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { APP_ROLE } from '../../platform/embedded-postgres/app-role.ts';

const ADMIN_DATABASE = 'postgres';
export const TEMPLATE_DATABASE = 'mems_template';

export type PostgresUrls = {
  /** As the app's role. */
  url: string;
  /** As a superuser, to create and drop databases. */
  adminUrl: string;
};

export type TestDatabase = { url: string; drop(): Promise<void> };

export async function cloneDatabase(
  { url, adminUrl }: PostgresUrls,
  template = TEMPLATE_DATABASE,
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // By default Postgres writes each page to its log, which takes several times as long.
  await runOn(adminUrl, `create database ${name} template ${template} strategy file_copy owner ${APP_ROLE}`);
  return {
    url: onDatabase(url, name),
    drop: () => runOn(adminUrl, `drop database ${name} with (force)`),
  };
}

export async function runOn(adminUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: onDatabase(adminUrl, ADMIN_DATABASE) });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

/** Replaces the database in a connection URL. */
export function onDatabase(url: string, database: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${database}`);
}
