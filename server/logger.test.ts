import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { describeError } from './logger.ts';
import { createUser } from './users/user-queries.ts';

const pool = new pg.Pool({ connectionString: inject('postgresUrl') });
afterAll(() => pool.end());

describe('the log of an error', () => {
  it('says what went wrong with a query, and nothing of what was in it', async () => {
    const user = {
      email: 'secret@mems.example',
      username: 'secret',
      firstName: null,
      lastName: null,
      passwordHash: 'hash-of-secret',
    };
    const error: unknown = await createUser(drizzle(pool), user).catch((each: unknown) => each);
    const description = describeError(error);
    expect(description).toMatchObject({
      message: 'A query failed',
      cause: { message: 'relation "users" does not exist', code: '42P01' },
    });
    expect(JSON.stringify(description)).not.toContain('secret');
  });
});
