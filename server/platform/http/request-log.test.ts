import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { requestLog } from './request-log.ts';

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
