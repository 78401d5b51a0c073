import { createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../testing/environment/test-database.ts';
import { openDatabase } from './database.ts';

describe('openDatabase', () => {
  it('survives a connection terminated in the middle of a transaction', async () => {
    const testDatabase = await createTestDatabase();
    const database = openDatabase({ url: testDatabase.url, poolSize: 1, onError: () => undefined });
    const terminated = database.db.transaction((tx) =>
      tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`),
    );
    await expect(terminated).rejects.toThrow();
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
    await database.close();
    await testDatabase.drop();
  });

  it('closes the connection of a transaction that could not be rolled back', async () => {
    const testDatabase = await createTestDatabase();
    const database = openDatabase({ url: testDatabase.url, poolSize: 1, onError: () => undefined });
    const released: (Error | undefined)[] = [];
    database.pool.on('release', (error: Error | undefined) => released.push(error));
    const { rows } = await database.db.transaction((tx) => tx.execute(sql`select pg_backend_pid() as pid`));
    await expect(
      database.db.transaction(() => Promise.reject(new Error('The callback failed'))),
    ).rejects.toThrow('The callback failed');
    expect(released).toEqual([undefined, undefined]);

    const terminated = database.db.transaction((tx) =>
      tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`),
    );
    await expect(terminated).rejects.toThrow();
    expect(released).toEqual([undefined, undefined, expect.any(Error)]);
    const next = await database.db.execute(sql`select pg_backend_pid() as pid`);
    expect(next.rows).not.toEqual(rows);
    await database.close();
    await testDatabase.drop();
  });

  it('releases the connection of a transaction whose BEGIN fails', async () => {
    const testDatabase = await createTestDatabase();
    const database = openDatabase({ url: testDatabase.url, poolSize: 1, onError: () => undefined });
    const invalid = { isolationLevel: 'no such level' as 'serializable' };
    await expect(database.db.transaction(() => Promise.resolve(), invalid)).rejects.toThrow();
    expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
    await database.close();
    await testDatabase.drop();
  });

  it('checks Postgres over one connection for concurrent callers', async () => {
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
