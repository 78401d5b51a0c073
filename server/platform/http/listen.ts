import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { StartupError } from '../process/startup-error.ts';
import { expressPrototypes } from './express-prototypes.ts';

const IDLE_CHECK_INTERVAL_MS = 100;
const UNREAD_TIMEOUT_MS = 60_000;

export type HttpServer = {
  port: number;
  /** Idle connections stay open for `idleMs`, since closing them could reset a request that is on its way. */
  close(options: CloseOptions): Promise<void>;
};

/** A request for a websocket. The connection is then no longer the HTTP server's. */
export type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

type CloseOptions = { timeoutMs: number; idleMs: number };

/** @throws StartupError if the port is taken or not permitted */
export async function listen(
  { app, upgrade }: { app: Express; upgrade: Upgrade | null },
  at: { host: string; port: number },
  logger: Logger,
  unreadTimeoutMs = UNREAD_TIMEOUT_MS,
): Promise<HttpServer> {
  const running = new Set<ServerResponse>();
  let isClosing = false;
  const server = createServer(expressPrototypes(app), (request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
    if (isClosing) response.setHeader('Connection', 'close');
    app(request, response);
  });
  closePipelined(server, running);
  destroyUnread(server, running, unreadTimeoutMs);
  if (upgrade)
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (request.headers.upgrade?.toLowerCase() === 'websocket') {
        socket.setTimeout(0);
        upgrade(request, socket, head);
      } else ignoreUpgrade(server, running, request, socket, head);
    });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, at)));
    server.listen(at.port, at.host, resolve);
  });
  // Without a listener, a connection that the system cannot accept crashes the process.
  server.on('error', (error) => logger.error({ err: error }, 'A connection could not be accepted'));
  return {
    port: (server.address() as AddressInfo).port,
    close(options) {
      isClosing = true;
      for (const response of running) if (!response.headersSent) response.setHeader('Connection', 'close');
      return closeServer(server, options);
    },
  };
}

/** When a connection closes, Node closes only the response that it writes, not those of pipelined requests behind it. */
function closePipelined(server: Server, running: ReadonlySet<ServerResponse>): void {
  server.on('connection', (socket: Socket) => {
    const closeOthers = () => {
      for (const response of running)
        if (response.req.socket === socket && !response.closed) response.destroy().emit('close');
    };
    socket.once('close', () => process.nextTick(closeOthers));
  });
}

/**
 * Destroys connections whose client reads nothing: their responses stay in memory. Node restarts the timeout while the system
 * takes bytes of a response, and emits it for connections without a request, which it would close itself without a listener.
 */
function destroyUnread(server: Server, running: ReadonlySet<ServerResponse>, timeoutMs: number): void {
  server.setTimeout(timeoutMs, (socket: Socket) => {
    const isWorking = [...running].some((response) => response.req.socket === socket);
    if (!isWorking || socket.writableLength > 0) socket.destroy();
  });
}

/**
 * Some clients offer HTTP/2 (`Upgrade: h2c`) with usual requests. With a listener for upgrades, Node stops reading the connection and
 * watching its timeout. Once the earlier responses have ended, it gets the request again, without the offer.
 */
function ignoreUpgrade(
  server: Server,
  running: ReadonlySet<ServerResponse>,
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (!/^(connection|upgrade)$/i.test(rawHeaders[i]!)) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
  const earlier = [...running].filter((response) => response.req.socket === socket);
  const ignoreError = () => undefined;
  const continueWriting = () => earlier.forEach((response) => response.socket && response.emit('drain'));
  const checkUnread = () => server.emit('timeout', socket);
  socket.on('error', ignoreError).on('drain', continueWriting).on('timeout', checkUnread);
  void Promise.all(earlier.map((response) => once(response, 'close'))).then(() => {
    socket.off('error', ignoreError).off('drain', continueWriting).off('timeout', checkUnread);
    if (!socket.writable) return;
    socket.unshift(bytes);
    server.emit('connection', socket);
  });
}

function explain(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(`Port ${port} on ${host} is already taken. Set PORT to another one.`);
    case 'EACCES':
      return new StartupError(`Port ${port} may not be used by this user. Set PORT to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(`HOST=${host} is not an address of this machine.`);
    default:
      return error;
  }
}

async function closeServer(server: Server, { timeoutMs, idleMs }: CloseOptions): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  // The HTTP server's own `close` would close idle connections at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  await Promise.race([closed, pause(idleMs)]);
  // A response that began before `close` leaves its connection open.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
