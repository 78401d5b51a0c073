import { afterAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from './db/database.ts';
import { createLogger, describeError } from './logger.ts';
import { createUser } from '../features/users/user-queries.ts';

const database = openDatabase({ url: inject('postgresUrl'), poolSize: 1, onError: () => undefined });
afterAll(() => database.close());

it('a line of the log has the time in milliseconds since 1970, in UTC', () => {
  const times: number[] = [];
  const write = (line: string) => void times.push((JSON.parse(line) as { time: number }).time);
  const before = Date.now();
  createLogger({ logLevel: 'info' }, { write }).info('hello');
  expect(times).toHaveLength(1);
  expect(times[0]).toBeGreaterThanOrEqual(before);
  expect(times[0]).toBeLessThanOrEqual(Date.now());
});

describe('the log of an error', () => {
  it('contains the error of a query, but not its values', async () => {
    const user = {
      email: 'secret@mems.example',
      username: 'secret',
      firstName: null,
      lastName: null,
      passwordHash: 'hash-of-secret',
    };
    const error: unknown = await createUser(database.db, user).catch((each: unknown) => each);
    const description = describeError(error);
    expect(description).toMatchObject({
      message: 'A query failed',
      cause: { message: 'relation "users" does not exist', code: '42P01' },
    });
    expect(JSON.stringify(description)).not.toContain('secret');
  });
});
