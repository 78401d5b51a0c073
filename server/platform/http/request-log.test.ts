import { mkdir, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { addMemory } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { createLogger } from '../logging/logger.ts';
import { redactPath, requestLog } from './request-log.ts';

const lines: string[] = [];
const app = express();
app.use(requestLog(pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })));
app.use((_request, response) => void response.end());
const server = createServer(app);
afterAll(() => void server.close());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

it.each([
  ['/p/secret', '/p/[redacted]'],
  ['/P/secret/photo.jpg', '/P/[redacted]/photo.jpg'],
  ['/unsubscribe/secret', '/unsubscribe/[redacted]'],
  ['/preferences/secret?saved', '/preferences/[redacted]'],
  ['/api/memories/018f?secret', '/api/memories/018f'],
])('the log of %s has the path %s', async (path, logged) => {
  lines.length = 0;
  await (await fetch(origin + path)).text();
  const { req } = JSON.parse(lines.at(-1) ?? '{}') as { req: { path: string } };
  expect(req.path).toBe(logged);
});

it('redacts a token in a whole URL, too', () => {
  expect(redactPath('http://mems.example/p/secret')).toBe('http://mems.example/p/[redacted]');
});

it('logs responses of the API without queries, and the errors of failed requests', async () => {
  const logged: unknown[] = [];
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const testServer = await startTestServer({ overrides: { logger } });
  const owner = await testServer.signUp();
  const { imageUrl } = await addMemory(owner);
  await owner.get(`${imageUrl}?w=400`);
  const copies = join(testServer.dataDir, 'objects/variants', imageUrl.replace('/objects/', ''));
  // A folder cannot be read.
  for (const name of await readdir(copies)) {
    await rm(join(copies, name));
    await mkdir(join(copies, name));
  }
  logged.length = 0;

  await owner.get('/api/health');
  await testServer.visitor().get('/api/memories?q=secret');
  const listed = await owner.get('/api/memories');
  await owner.get(`${imageUrl}?w=400`);
  await expect.poll(() => logged).toHaveLength(3);
  const request = { method: 'GET', path: '/api/memories' };
  const FAILED_READ = {
    type: 'Error',
    code: 'EISDIR',
    message: expect.stringContaining('EISDIR') as string,
    stack: expect.stringMatching(/^Error: EISDIR/) as string,
  };
  expect(logged).toMatchObject([
    { level: 30, req: request, res: { status: 401 }, msg: 'request completed' },
    { level: 30, req: { ...request, id: listed.headers.get('X-Request-Id') }, res: { status: 200 } },
    { level: 50, req: { path: imageUrl }, res: { status: 500 }, err: FAILED_READ },
  ]);
  expect(JSON.stringify(logged)).not.toContain('secret');
});
