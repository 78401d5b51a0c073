import { inject } from 'vitest';
import { cloneDatabase, runOn, type TestDatabase } from './clone-database.ts';

const postgres = () => ({ url: inject('postgresUrl'), adminUrl: inject('postgresAdminUrl') });

/** Creates an empty database with the current schema. */
export function createTestDatabase(): Promise<TestDatabase> {
  return cloneDatabase(postgres());
}

/** A database before its first migration. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return cloneDatabase(postgres(), 'template0');
}

export function runAsAdmin(statement: string): Promise<void> {
  return runOn(postgres().adminUrl, statement);
}
