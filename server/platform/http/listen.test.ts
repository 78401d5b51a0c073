import { EventEmitter, once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen, type HttpServer } from './listen.ts';

/** More than the buffers of a connection. */
const LARGE_BYTES = 64 * 1024 * 1024;

let server: HttpServer;
const received = new EventEmitter();

beforeAll(async () => {
  const app = express();
  app.use(async (request, response) => {
    received.emit('headers');
    response.send(`${request.method} ${request.url} ${request.get('X-Name')} ${await text(request)}`);
  });
  server = await listen(
    { app, upgrade: (_request, socket) => void socket.end('HTTP/1.1 426 Upgraded\r\n\r\n') },
    { host: '127.0.0.1', port: 0 },
    pino({ level: 'silent' }),
  );
});
afterAll(() => server.close({ timeoutMs: 1000, idleMs: 0 }));

/** Everything that the server answers. Sends the rest once the server has received the headers of the first request. */
async function send(first: string, rest?: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  const headers = once(received, 'headers');
  socket.write(first, 'latin1');
  if (rest !== undefined) {
    await headers;
    socket.write(rest, 'latin1');
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
  const [first = '', rest] = packets;
  const responses = await send(first, rest);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
  expect(responses).toContain('POST /path?query J\u00f6rg body');
  expect(responses).toContain('GET /last undefined ');
});

it('answers a request that offers HTTP/2 after the responses to those before it on the same connection', async () => {
  const held: ServerResponse[] = [];
  const isHeld = new EventEmitter();
  const app = express();
  app.get('/held', (_request, response) => void isHeld.emit('held', held.push(response)));
  app.get('/path', (_request, response) => void response.send('answered'));
  const pipelined = await listen(
    { app, upgrade: () => undefined },
    { host: '127.0.0.1', port: 0 },
    pino({ level: 'silent' }),
  );
  const socket = connect(pipelined.port, '127.0.0.1');
  const first = 'GET /held HTTP/1.1\r\nHost: mems.example\r\n\r\n';
  socket.write(first + first + head('GET', 'h2c') + last.replace('/last', '/path'));
  while (held.length < 2) await once(isHeld, 'held');
  const chunks = Array.from({ length: 64 }, () => Buffer.alloc(LARGE_BYTES / 64, ' '));
  Readable.from([...chunks, Buffer.from('second')]).pipe(held[1]!);
  held[0]!.end('first');
  const responses = await text(socket);
  expect(responses.match(/first|second|answered/g)).toEqual(['first', 'second', 'answered', 'answered']);
  await pipelined.close({ timeoutMs: 1000, idleMs: 0 });
});

it('passes on requests for a websocket', async () => {
  expect(await send(head('GET', 'WebSocket'))).toBe('HTTP/1.1 426 Upgraded\r\n\r\n');
});

it('asks a client to close its connection before closing it', async () => {
  const app = express().use((_request, response) => void response.send('here'));
  const closing = await listen(
    { app, upgrade: null },
    { host: '127.0.0.1', port: 0 },
    pino({ level: 'silent' }),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const asked = get({ port: closing.port, host: '127.0.0.1', agent });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return [await text(response), response.headers.connection];
  };
  expect(await ask()).toEqual(['here', 'keep-alive']);
  const closed = closing.close({ timeoutMs: 600_000, idleMs: 60_000 });
  expect(await ask()).toEqual(['here', 'close']);
  await closed;
  await expect(ask()).rejects.toThrow('ECONNREFUSED');
});

it('closes all responses of pipelined requests with their connection', async () => {
  const held: ServerResponse[] = [];
  const isHeld = new EventEmitter();
  const app = express();
  app.use((_request, response) => void isHeld.emit('held', held.push(response)));
  const pipelined = await listen(
    { app, upgrade: null },
    { host: '127.0.0.1', port: 0 },
    pino({ level: 'silent' }),
  );
  const socket = connect(pipelined.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: mems.example\r\n\r\n'.repeat(3));
  while (held.length < 3) await once(isHeld, 'held');
  const closed = Promise.all(held.map((response) => once(response, 'close')));
  socket.destroy();
  await closed;
  expect(held.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  await pipelined.close({ timeoutMs: 1000, idleMs: 0 });
});

it('destroys a response that its client does not read also after an offer of HTTP/2', async () => {
  const begun = new EventEmitter();
  const app = express().use((_request, response) => {
    begun.emit('large', response);
    response.send(Buffer.alloc(LARGE_BYTES));
  });
  const unread = await listen(
    { app, upgrade: () => undefined },
    { host: '127.0.0.1', port: 0 },
    pino({ level: 'silent' }),
    100,
  );
  const started = once(begun, 'large') as Promise<[ServerResponse]>;
  const socket = connect(unread.port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET / HTTP/1.1\r\nHost: mems.example\r\n\r\n${head('GET', 'h2c')}`);
  const [response] = await started;
  await once(response, 'close');
  expect(socket.bytesRead).toBeLessThan(LARGE_BYTES);
  socket.destroy();
  await unread.close({ timeoutMs: 1000, idleMs: 0 });
});

it('destroys a response that its client does not read, and waits for one that has not begun', async () => {
  const begun = new EventEmitter();
  const app = express();
  app.get('/late', (_request, response) => void begun.emit('late', response));
  app.get('/large', (_request, response) => {
    begun.emit('large', response);
    response.send(Buffer.alloc(LARGE_BYTES));
  });
  const unread = await listen(
    { app, upgrade: null },
    { host: '127.0.0.1', port: 0 },
    pino({ level: 'silent' }),
    100,
  );
  const ask = async (path: string) => {
    const started = once(begun, path.slice(1)) as Promise<[ServerResponse]>;
    const socket = connect(unread.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: mems.example\r\nConnection: close\r\n\r\n`);
    const [response] = await started;
    return { socket, response };
  };
  const late = await ask('/late');
  // Its timeout is after the one of the first.
  const large = await ask('/large');
  await once(large.response, 'close');
  expect(large.socket.bytesRead).toBeLessThan(LARGE_BYTES);
  late.response.end('here');
  expect(await text(late.socket)).toMatch(/here$/);
  large.socket.destroy();
  await unread.close({ timeoutMs: 1000, idleMs: 0 });
});
