import pg from 'pg';
import { inject, describe, expect, it } from 'vitest';
import { onDatabase } from '../testing/test-database.ts';
import { migrateDatabase } from './migrate.ts';

describe('migrateDatabase', () => {
  it('lets several processes start over an empty database at the same moment', async () => {
    const admin = new pg.Client({ connectionString: onDatabase(inject('postgresUrl'), 'postgres') });
    await admin.connect();
    await admin.query('create database empty_at_first');
    const url = onDatabase(inject('postgresUrl'), 'empty_at_first');
    await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(url)));

    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ count: string }>(
      'select count(*) from drizzle.__drizzle_migrations',
    );
    expect(Number(rows[0]?.count)).toBeGreaterThan(0);
    await client.query('select id, email_verified_at, time_zone from users');
    await client.end();
    await admin.query('drop database empty_at_first');
    await admin.end();
  });

  it('says in one line that the database does not answer', async () => {
    await expect(migrateDatabase('postgres://nobody@127.0.0.1:1/mems')).rejects.toThrow(
      /^The database does not answer \(.*\)\. Please check DATABASE_URL\.$/,
    );
  });
});
