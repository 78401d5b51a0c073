import { randomUUID } from 'node:crypto';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import { REMOTE_PATH } from '#shared/transfers/remote-source';
import type { AppContext } from '../../platform/context.ts';
import { isOwnHost } from '../../platform/http/security/own-host.ts';
import { isOwnRequest } from '../../platform/http/security/same-site.ts';
import type { CompanionService } from './companion-service.ts';
import type { RemoteTransfers } from './remote-transfers.ts';

const UPLOAD_PATH = new RegExp(`^${REMOTE_PATH}/api/([0-9a-f-]{36})$`);
/** A browser only ever sends the name of an action. */
const MAX_BYTES = 16_384;
const IDLE_TIMEOUT_MS = 10 * 60_000;

/** Opens websockets for the user's own running transfers, and rejects all others. */
export function createRemoteSockets(
  { config, logger, securityLog }: Pick<AppContext, 'config' | 'logger' | 'securityLog'>,
  {
    session,
    transfers,
    companion,
  }: { session: RequestHandler; transfers: RemoteTransfers; companion: () => Promise<CompanionService> },
) {
  const open = new Set<Socket>();
  let isClosing = false;

  async function accept(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    if (isClosing) return reject(socket, '503 Service Unavailable');
    const source = { request: toRequest(request), details: { of: 'websocket' } };
    if (!isOwnHost(config, source.request)) {
      securityLog.record('refused-host', 'refused', source);
      return reject(socket, '421 Misdirected Request');
    }
    const token = UPLOAD_PATH.exec(request.url ?? '')?.[1];
    if (!token || !isOwnRequest(request.headers, config.http.publicUrl)) {
      securityLog.record('refused-origin', 'refused', source);
      return reject(socket, '403 Forbidden');
    }
    const userId = await findUserId(session, source.request);
    if (!userId) return reject(socket, '401 Unauthorized');
    if (transfers.ownerOf(token) !== userId) return reject(socket, '404 Not Found');
    // Companion takes the token from the rest of the path.
    request.url = `/api/${token}`;
    (await companion()).sockets.emit('upgrade', request, socket, head);
    // After `ws`, which removes the timeout of a socket that it takes over.
    socket.setTimeout(IDLE_TIMEOUT_MS, () => socket.destroy());
    limitBytes(socket);
    transfers.resend(token);
  }

  return {
    upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
      // Without a listener, a connection that breaks crashes the process.
      socket.on('error', () => undefined);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      accept(request, socket, head).catch((error: unknown) => {
        logger.error({ err: error }, 'A websocket could not be opened');
        reject(socket, '503 Service Unavailable');
      });
    },
    close() {
      isClosing = true;
      for (const socket of open) socket.destroy();
    },
  };
}

/** The server makes Express's requests (express-prototypes.ts), but the middleware that completes them does not run. */
function toRequest(request: IncomingMessage): Request {
  return Object.assign(request, { id: randomUUID(), originalUrl: request.url }) as Request;
}

function findUserId(session: RequestHandler, asRequest: Request): Promise<string | null> {
  return new Promise((resolve, reject) => {
    void session(asRequest, new ServerResponse(asRequest) as Response, (error?: unknown) => {
      if (error) reject(new Error('The session could not be loaded', { cause: error }));
      else resolve(asRequest.user?.id ?? null);
    });
  });
}

function reject(socket: Socket, status: string): void {
  // The client's end of the connection may stay open forever, and the server could not close.
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function limitBytes(socket: Socket): void {
  const start = socket.bytesRead;
  socket.on('data', () => {
    if (socket.bytesRead - start > MAX_BYTES) socket.destroy();
  });
}
