import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { APP_ROLE } from '../platform/embedded-postgres/app-role.ts';

export const ADMIN_DATABASE = 'postgres';
export const TEMPLATE_DATABASE = 'mems_template';

/** Replaces the database in a connection URL. */
export function onDatabase(url: string, database: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${database}`);
}

type TestDatabase = { url: string; drop(): Promise<void> };

/** Creates an empty database with the current schema. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(TEMPLATE_DATABASE);
}

/** A database before its first migration. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const url = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(`create database ${name} template ${template} owner ${APP_ROLE}`);
  return { url: onDatabase(url, name), drop: () => runAsAdmin(`drop database ${name} with (force)`) };
}

export async function runAsAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: onDatabase(inject('postgresAdminUrl'), ADMIN_DATABASE) });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
