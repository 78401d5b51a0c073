import { afterAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from './db/database.ts';
import { describeError } from './logger.ts';
import { createUser } from '../features/users/user-queries.ts';

const database = openDatabase({ url: inject('postgresUrl'), poolSize: 1, onError: () => undefined });
afterAll(() => database.close());

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
