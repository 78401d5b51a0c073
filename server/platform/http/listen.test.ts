import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen, type HttpServer } from './listen.ts';

let server: HttpServer;

beforeAll(async () => {
  const app = express();
  app.use(async (request, response) => {
    response.send(`${request.method} ${request.url} ${request.get('X-Name')} ${await text(request)}`);
  });
  server = await listen(
    { app, upgrade: (_request, socket) => void socket.end('HTTP/1.1 426 Upgraded\r\n\r\n') },
    { host: '127.0.0.1', port: 0 },
    pino({ level: 'silent' }),
  );
});
afterAll(() => server.close({ timeoutMs: 1000, idleMs: 0 }));

/** Everything that the server answers to the packets. */
async function send(...packets: string[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  for (const packet of packets) {
    socket.write(packet, 'latin1');
    await pause(50);
  }
  return text(socket);
}

const head = (method: string, upgrade: string, ...more: string[]) =>
  [
    `${method} /path?query HTTP/1.1`,
    'Host: mems.example',
    'X-Name: J\u00f6rg',
    'Connection: Upgrade, HTTP2-Settings',
    `Upgrade: ${upgrade}`,
    'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ...more,
    '\r\n',
  ].join('\r\n');
const last = 'GET /last HTTP/1.1\r\nHost: mems.example\r\nConnection: close\r\n\r\n';

it.each([
  ['in one packet', [`${head('POST', 'h2c', 'Content-Length: 4')}body${last}`]],
  ['in two packets', [head('POST', 'h2c', 'Content-Length: 4'), `body${last}`]],
  ['in chunks', [`${head('POST', 'h2c', 'Transfer-Encoding: chunked')}4\r\nbody\r\n`, `0\r\n\r\n${last}`]],
])('answers a request that offers HTTP/2 as a usual one, with a body %s', async (_name, packets) => {
  const answers = await send(...packets);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(answers).toContain('POST /path?query J\u00f6rg body');
  expect(answers).toContain('GET /last undefined ');
});

it('passes on requests for a websocket', async () => {
  expect(await send(head('GET', 'WebSocket'))).toBe('HTTP/1.1 426 Upgraded\r\n\r\n');
});
