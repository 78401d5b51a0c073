import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';
import { openDatabase } from './database.ts';

describe('openDatabase', () => {
  it('outlives a connection that is cut in the middle of a transaction', async () => {
    const testDatabase = await createTestDatabase();
    const database = openDatabase({ url: testDatabase.url, poolSize: 1, onError: () => undefined });
    const cut = database.db.transaction((tx) =>
      tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`),
    );
    await expect(cut).rejects.toThrow();
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
    await database.close();
    await testDatabase.drop();
  });

  it('gets a connection back on which a transaction could not even begin', async () => {
    const testDatabase = await createTestDatabase();
    const database = openDatabase({ url: testDatabase.url, poolSize: 1, onError: () => undefined });
    const never = { isolationLevel: 'no such level' as 'serializable' };
    await expect(database.db.transaction(() => Promise.resolve(), never)).rejects.toThrow();
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
    await database.close();
    await testDatabase.drop();
  });
});
