import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createQueues } from '../jobs/pg-boss-job-queue.ts';
import { jobs as allJobs } from '../../app/jobs.ts';
import { createEmptyDatabase } from '../../testing/test-database.ts';
import { migrateDatabase } from './migrate.ts';

describe('migrateDatabase', () => {
  it('serializes ten concurrent migrations of an empty database, including the queues', async () => {
    const database = await createEmptyDatabase();
    const prepare = async () => {
      const pool = new pg.Pool({ connectionString: database.url });
      await migrateDatabase(database.url, () => createQueues(pool, allJobs)).finally(() => pool.end());
    };
    await Promise.all(Array.from({ length: 10 }, prepare));

    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const count = async (table: string) =>
      (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count;
    expect(await count('drizzle.__drizzle_migrations')).toBeGreaterThan(0);
    expect(await count('users')).toBe(0);
    // One more is pg-boss's own.
    expect(await count('pgboss.queue')).toBe(allJobs.length + 1);
    await client.end();
    await database.drop();
  });

  it('reports in one line that the database does not answer', async () => {
    await expect(migrateDatabase('postgres://unknown@127.0.0.1:1/mems')).rejects.toThrow(
      /^The database does not answer \(.*\)\. Please check DATABASE_URL\.$/,
    );
  });
});
