import { afterAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { createLogger, describeError } from './logger.ts';
import { createUser } from '../../features/accounts/users/user-queries.ts';

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

describe('on a terminal', () => {
  function logOn(options: { isTerminal: boolean }) {
    let output = '';
    const logger = createLogger(
      { logLevel: null },
      { write: (text) => void (output += text) },
      options.isTerminal,
    );
    logger.info('request completed');
    logger.warn('The image decoder runs without isolation');
    return output;
  }

  it('a warning is one readable line, and information is left out', () => {
    expect(logOn({ isTerminal: true })).toMatch(
      /^\[\d\d:\d\d:\d\d\] WARN: The image decoder runs without isolation\n$/,
    );
  });

  it('elsewhere, everything is JSON', () => {
    const lines = logOn({ isTerminal: false }).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'request completed',
      'The image decoder runs without isolation',
    ]);
  });

  it('an error cannot control the terminal', () => {
    let output = '';
    const write = (text: string) => void (output += text);
    createLogger({ logLevel: null }, { write }, true).warn(
      { err: new Error('550 no\x1b[2J such') },
      'Failed',
    );
    expect(output).toContain('550 no[2J such');
    expect(output).not.toContain('\x1b');
  });

  it('contains no secrets', () => {
    let output = '';
    const write = (text: string) => void (output += text);
    createLogger({ logLevel: null }, { write }, true).warn('GET /api/invitations/0123456789abcdef failed');
    expect(output).toContain('GET /api/invitations/[redacted] failed');
    expect(output).not.toContain('0123456789abcdef');
  });
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
