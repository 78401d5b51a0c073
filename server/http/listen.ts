import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { StartupError } from '../startup-error.ts';
import { requestClasses } from './request-classes.ts';

const IDLE_CHECK_INTERVAL_MS = 100;

export type HttpServer = {
  port: number;
  /** Takes no new requests and waits for the running ones, at most this long; then cuts them off. */
  close(timeoutMs: number): Promise<void>;
};

/** @throws StartupError when the port is taken or not ours to use */
export async function listen(app: Express, at: { host: string; port: number }): Promise<HttpServer> {
  const server = createServer(requestClasses(app), app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, at)));
    server.listen(at.port, at.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: (timeoutMs) => closeServer(server, timeoutMs),
  };
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

/** A browser keeps its connection after the answer that it waited for: it is closed as soon as it is idle. */
async function closeServer(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
  const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
