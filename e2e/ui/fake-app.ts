import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type RequestHandler } from 'express';
import { FakeServer, formFields } from '../../client/src/testing/fake-server/fake-server.ts';
import { clientFiles } from '../../server/platform/http/pages/client-files.ts';
import { shareTargetRoutes } from '../../server/platform/http/pages/share-target.ts';
import { securityHeaders } from '../../server/platform/http/security/security-headers.ts';

const SESSION_COOKIE = 'mems.sid';
const headers = securityHeaders(
  {
    http: { isHttps: false },
    remoteSources: { googlePicker: null, googleDrive: null, dropbox: null, onedrive: null },
  } as Parameters<typeof securityHeaders>[0],
  null,
);
export const CLIENT_FOLDER = join(import.meta.dirname, '../../dist/client');

export interface FakeApp {
  origin: string;
  server: FakeServer;
  /** Errors of the fake itself, which fail a test. */
  errors: unknown[];
  /** Waits until a page listens for events. */
  untilListening(): Promise<void>;
  /** Sends an event to the open pages. */
  emit(event: 'change' | 'refresh' | 'end', data: object): void;
  /** Serves another build of the client from now on. */
  deploy(folder: string): void;
  /** Ends the event streams of the open pages without a word, as a proxy does. */
  breakStreams(): void;
  close(): Promise<void>;
}

/** The built client as the real server serves it, over the fake API. */
export async function startFakeApp(): Promise<FakeApp> {
  const server = new FakeServer();
  const errors: unknown[] = [];
  const streams = new Set<express.Response>();
  const opened = new EventEmitter();

  const respond: RequestHandler = async (request, response) => {
    try {
      const { originalUrl } = request;
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const fake = server.respond(method, originalUrl, await readFields(request));
      response.status(fake.status).set(fake.headers);
      if (request.path === '/api/events' && fake.status === 200) {
        response.type('text/event-stream').flushHeaders();
        streams.add(response);
        response.once('close', () => streams.delete(response));
        opened.emit('stream');
        return;
      }
      response.end(fake.body && Buffer.from(fake.body));
    } catch (error) {
      errors.push(error);
      response.status(500).json({ message: String(error) });
    }
  };

  let client = clientFiles(CLIENT_FOLDER, SESSION_COOKIE);
  const app = express();
  app.use(headers, shareTargetRoutes());
  app.use(express.json(), express.raw({ type: 'multipart/form-data', limit: '20mb' }));
  app.use((request, response, next) =>
    /^\/(api|objects|uploads)\//.test(request.path) ? void respond(request, response, next) : next(),
  );
  app.use((request, response, next) => {
    request.headers.cookie = server.state.isSignedIn ? `${SESSION_COOKIE}=fake` : '';
    client(request, response, next);
  });

  const listener = createServer(app).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  server.state.origin = origin;
  return {
    origin,
    server,
    errors,
    untilListening: async () => {
      if (streams.size === 0) await once(opened, 'stream');
    },
    emit: (event, data) => {
      for (const stream of streams) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    deploy: (folder) => {
      client = clientFiles(folder, SESSION_COOKIE);
    },
    breakStreams: () => {
      for (const stream of streams) stream.end();
      streams.clear();
    },
    close: async () => {
      const closed = once(listener, 'close');
      listener.close();
      listener.closeAllConnections();
      await closed;
    },
  };
}

async function readFields(request: express.Request): Promise<unknown> {
  const body: unknown = request.body;
  if (!(body instanceof Buffer)) return body;
  const form = new Response(new Uint8Array(body), {
    headers: { 'Content-Type': request.get('Content-Type') ?? '' },
  });
  return formFields(await form.formData());
}
