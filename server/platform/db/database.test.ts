import { createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../testing/test-database.ts';
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

  it('checks Postgres over one connection, however many ask at the same moment', async () => {
    const accepted: Socket[] = [];
    const silent = createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const database = openDatabase({
      url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
      poolSize: 1,
      onError: () => undefined,
    });
    const checks = await Promise.allSettled(Array.from({ length: 20 }, () => database.check()));
    expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await expect(database.check()).rejects.toThrow('timeout');
    expect(accepted).toHaveLength(2);
    await database.close();
    silent.close();
  });
});
