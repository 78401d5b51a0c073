import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { pino } from 'pino';
import { startTestServer } from '../../../testing/test-server.ts';

const lines: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
beforeEach(() => void lines.splice(0));

async function warningsOf(env: NodeJS.ProcessEnv, headers: Record<string, string>): Promise<unknown> {
  const server = await startTestServer({ env, overrides: { logger } });
  for (const _ of [1, 2]) await server.visitor().get('/api/config', headers);
  const { body } = await server.visitor().get('/api/health/ready');
  return (body as { warnings: unknown }).warnings;
}

it('a proxy is warned of once while TRUST_PROXY is off, in the log and in the readiness', async () => {
  expect(await warningsOf({}, { 'X-Forwarded-For': '203.0.113.7' })).toEqual([
    expect.stringContaining('TRUST_PROXY'),
  ]);
  expect(lines.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
});

it('a proxy with https is warned of while PUBLIC_URL is not set', async () => {
  expect(await warningsOf({ TRUST_PROXY: '1' }, { 'X-Forwarded-Proto': 'https' })).toEqual([
    expect.stringContaining('PUBLIC_URL'),
  ]);
});

it('a proxy without headers is warned of by the origin of its pages', async () => {
  expect(await warningsOf({}, { Origin: 'https://mems.example' })).toEqual([
    expect.stringContaining('TRUST_PROXY'),
    expect.stringContaining('PUBLIC_URL'),
  ]);
});

it('a proxy without headers is warned of by HTTP/1.0, and gets no details', async () => {
  const server = await startTestServer({ overrides: { logger } });
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  socket.write('GET /api/health/ready HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n');
  expect(await text(socket)).toMatch(/\{"status":"ready"\}$/);
  const { body } = await server.visitor().get('/api/health/ready');
  expect(body).toMatchObject({ warnings: [expect.stringContaining('TRUST_PROXY')] });
});

it('a page of this machine, or one without an origin, is no proxy', async () => {
  for (const origin of ['http://localhost:5000', 'http://[::1]:5000', 'null'])
    expect(await warningsOf({}, { Origin: origin })).toEqual([]);
});

it('a configured proxy is not warned of', async () => {
  const headers = {
    'X-Forwarded-For': '203.0.113.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'mems.example',
  };
  expect(await warningsOf({ TRUST_PROXY: '1', PUBLIC_URL: 'https://mems.example' }, headers)).toEqual([]);
  expect(lines).toEqual([]);
});
