import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import type { SecurityRecord } from './security-log.ts';

type Line = { level: number; security?: SecurityRecord };

const lines: Line[] = [];
const logger = pino({ level: 'info', base: null }, { write: (line) => lines.push(JSON.parse(line) as Line) });
const recorded = () => lines.flatMap((line) => line.security ?? []);
const REQUEST_ID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const SESSION_HASH = expect.stringMatching(/^[\w-]{43}$/) as string;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ overrides: { logger }, env: { LOGIN_ATTEMPTS_PER_ACCOUNT: '2' } });
});
beforeEach(() => void (lines.length = 0));

describe('the security log', () => {
  it('records a sign-in with its user, session, address and request', async () => {
    const { userId } = await server.signUp('owner');
    lines.length = 0;
    const client = server.visitor();
    const login = { email: 'owner@mems.example', password: 'correct horse' };
    const response = await client.post('/api/login', login);
    expect(recorded()).toEqual([
      {
        event: 'sign-in',
        outcome: 'success',
        userId,
        actorId: null,
        sessionHash: SESSION_HASH,
        ip: '127.0.0.1',
        requestId: response.headers.get('X-Request-Id'),
        details: {},
      },
    ]);
    const [sid = ''] = decodeURIComponent(client.cookie()).replace('mems.sid=s:', '').split('.');
    expect(sid).not.toBe('');
    expect(JSON.stringify(lines)).not.toContain(sid);
  });

  it('records wrong passwords and the limit that they reach', async () => {
    const { userId } = await server.signUp('target');
    lines.length = 0;
    const guess = (email: string) => server.visitor().post('/api/login', { email, password: 'a guess' });
    await guess('target@mems.example');
    await guess('unknown@mems.example');
    await guess('target@mems.example');
    const limited = await guess('target@mems.example');
    expect(limited.status).toBe(429);
    const failure = { event: 'sign-in', outcome: 'failure', sessionHash: null, ip: '127.0.0.1' };
    expect(recorded()).toMatchObject([
      { ...failure, userId, requestId: REQUEST_ID },
      { ...failure, userId: null },
      { ...failure, userId },
      { event: 'rate-limit', outcome: 'refused', details: { limit: 'loginPerUser' } },
    ]);
    expect(lines.find((line) => line.security)?.level).toBe(40);
    expect(JSON.stringify(lines)).not.toMatch(/a guess|mems\.example/);
  });
});
