import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import {
  IncomingMessage,
  ServerResponse,
  type ClientRequest,
  type OutgoingHttpHeaders,
  type Server,
} from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { OAUTH_SOURCES, REMOTE_PATH, type OAuthSource } from '#shared/transfers/remote-source';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import { AppError, NotFoundError } from '../../platform/errors.ts';
import { ForbiddenAddressError, isPublic } from '../../platform/public-http/ssrf-guard.ts';
import { muteCompanion } from './companion-log.ts';

/** Companion's names of the vendors, which are part of the redirect URLs that are registered there. */
export const PROVIDERS = { dropbox: 'dropbox', onedrive: 'onedrive', 'google-drive': 'drive' } as const;
export type Provider = (typeof PROVIDERS)[OAuthSource];

/** Companion's session data during a sign-in at a vendor. */
export type CompanionSession = { grant?: object | undefined };

type CompanionCall = {
  method?: 'GET' | 'POST';
  /** Below REMOTE_PATH, with its query. */
  path: string;
  /** The encrypted token of the user's sign-in at the vendor. */
  token?: string | null;
  body?: object;
  session?: CompanionSession;
  requestId: string;
};

export type CompanionResponse = {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
  /** The body as JSON; null if it is not JSON. */
  json: unknown;
  /** Ends the requests to vendors that this call has left open. */
  abort(): void;
};

export type CompanionService = {
  /** Responds as companion's HTTP API. @throws AppError when a vendor does not respond in time */
  call(call: CompanionCall): Promise<CompanionResponse>;
  /** Stores a photo that is being downloaded by us, as companion's own sources do. */
  storePhoto(photo: Readable, call: Pick<CompanionCall, 'body' | 'requestId'>): Promise<CompanionResponse>;
  /** `upload token` and `action:upload token`; see Companion's Uploader and socket. */
  emitter: EventEmitter;
  /** Emit `upgrade` to open a websocket on which the events of `/api/<event>` are sent. */
  sockets: EventEmitter;
  close(): Promise<void>;
};

/** For a vendor's response, without the transfer of a photo. */
export const VENDOR_TIMEOUT_MS = 15_000;
const NO_RESPONSE = 'This service does not answer at the moment. Please try again later.';

type Handler = (request: object, response: object, next: (error?: unknown) => void) => void;
type Companion = {
  app(options: object): { app: Handler; emitter: EventEmitter };
  socket(server: Server): void;
};

/** The requests that a call has started. */
type Outgoing = { requests: Set<ClientRequest>; uploadHost: string | null };
const outgoing = new AsyncLocalStorage<Outgoing>();

type Options = {
  secret: string;
  folder: string | null;
  uploadUrls: RegExp[];
  limits: { vendorTimeoutMs: number };
};

/**
 * Loads @uppy/companion, which takes 25 MB of memory, and runs it within the process: nothing of a browser's request reaches it and
 * nothing of its responses leaves except by our routes. Its own HTTP interface would take any upload destination and send
 * the vendors' tokens to the browser.
 */
export async function loadCompanion(
  { config, baseUrl, logger }: Pick<AppContext, 'config' | 'baseUrl' | 'logger'>,
  { secret, folder, uploadUrls, limits }: Options,
): Promise<CompanionService> {
  const filePath = await openTemporaryFolder(folder);
  const photos = new Map<string, Readable>();
  const origin = new URL(baseUrl.origin());
  muteCompanion(logger);
  // Companion sets no timeouts: without the requests themselves, one without a response could never be ended.
  subscribe(REQUEST_START, onRequest);
  const companion = (await import('@uppy/companion')) as unknown as Companion;
  const { app, emitter } = companion.app({
    secret,
    filePath,
    server: { host: origin.host, protocol: origin.protocol.replace(':', ''), path: REMOTE_PATH },
    uploadUrls,
    ...SETTINGS,
    enableGooglePickerEndpoint: config.remoteSources.googlePicker !== null,
    providerOptions: { ...oauthKeys(config), [PHOTO_PROVIDER]: { key: 'none' } },
    customProviders: { [PHOTO_PROVIDER]: { module: createPhotoProvider(photos), config: {} } },
  });
  const sockets = new EventEmitter();
  companion.socket(sockets as unknown as Server);
  const call = (options: CompanionCall) => callApp(app, origin.host, limits.vendorTimeoutMs, options);
  return {
    call,
    storePhoto: async (photo, options) => {
      const id = crypto.randomUUID();
      photos.set(id, photo);
      try {
        return await call({ ...options, method: 'POST', path: `/${PHOTO_PROVIDER}/get/${id}` });
      } finally {
        photos.delete(id);
      }
    },
    emitter,
    sockets,
    close: async () => {
      unsubscribe(REQUEST_START, onRequest);
      await rm(filePath, { recursive: true, force: true });
    },
  };
}

const SETTINGS = {
  // Without a length S3 rejects a PUT.
  streamingUpload: false,
  maxFileSize: MAX_UPLOAD_BYTES,
  corsOrigins: false,
  metrics: false,
  enableUrlEndpoint: false,
};

function callApp(app: Handler, host: string, timeoutMs: number, call: CompanionCall) {
  const requests = new Set<ClientRequest>();
  const abort = () => {
    for (const each of requests) each.destroy(new Error('Aborted'));
  };
  return new Promise<CompanionResponse>((resolve, reject) => {
    const timeout = setTimeout(() => {
      abort();
      reject(new AppError(504, NO_RESPONSE));
    }, timeoutMs);
    const request = toRequest(call, host);
    const response = collectResponse(request, (body) => {
      clearTimeout(timeout);
      const { statusCode: status } = response;
      resolve({ status, headers: response.getHeaders(), body, json: parseJson(body), abort });
    });
    const fail = (error?: unknown) => {
      clearTimeout(timeout);
      abort();
      reject(error ? new AppError(502, NO_RESPONSE, {}, { cause: error }) : new NotFoundError());
    };
    outgoing.run({ requests, uploadHost: uploadHostOf(call.body) }, () => app(request, response, fail));
  });
}

function toRequest(call: CompanionCall, host: string): IncomingMessage {
  const { method = 'GET', path, token, body, session = {}, requestId } = call;
  return Object.assign(new IncomingMessage(new Socket()), {
    method,
    url: path,
    originalUrl: `${REMOTE_PATH}${path}`,
    headers: { host, ...(token && { 'uppy-auth-token': token }) },
    // Dropbox's thumbnails read the token from a cookie.
    cookies: token ? { 'uppyAuthToken--dropbox': token } : {},
    session,
    id: requestId,
    // As if parsed, by body-parser's own mark.
    body,
    _body: true,
  });
}

function collectResponse(request: IncomingMessage, onEnd: (body: Buffer) => void): ServerResponse {
  const response = new ServerResponse(request);
  const chunks: Buffer[] = [];
  // On the object, since Express replaces its prototype.
  return Object.assign(response, {
    write(chunk: Buffer | string) {
      chunks.push(Buffer.from(chunk as string));
      return true;
    },
    end(chunk?: Buffer | string) {
      if (chunk) chunks.push(Buffer.from(chunk as string));
      onEnd(Buffer.concat(chunks));
      return response;
    },
  });
}

const REQUEST_START = 'http.client.request.start';

function onRequest(message: unknown): void {
  const call = outgoing.getStore();
  if (!call) return;
  const { request } = message as { request: ClientRequest };
  call.requests.add(request);
  // Our storage may have a private address.
  if (request.getHeader('host') === call.uploadHost) return;
  if (request.socket) rejectPrivateAddress(request, request.socket);
  else request.once('socket', (socket) => rejectPrivateAddress(request, socket));
}

/** Companion follows redirects of the vendors' APIs anywhere. */
function rejectPrivateAddress(request: ClientRequest, socket: Socket): void {
  const check = () => {
    const { remoteAddress = '' } = socket;
    if (!isPublic(remoteAddress))
      request.destroy(new ForbiddenAddressError(`${remoteAddress} is not public`));
  };
  // Before the listener that sends what was written while connecting.
  if (socket.connecting) socket.prependOnceListener('connect', check);
  else check();
}

function uploadHostOf(body: object | undefined): string | null {
  const { endpoint } = (body ?? {}) as { endpoint?: string };
  return endpoint ? new URL(endpoint).host : null;
}

const PHOTO_PROVIDER = 'photo';

/** The provider interface of companion, for photos that are already being downloaded. */
function createPhotoProvider(photos: ReadonlyMap<string, Readable>) {
  return class PhotoProvider {
    download({ id }: { id: string }) {
      const stream = photos.get(id);
      return stream ? Promise.resolve({ stream }) : Promise.reject(new Error('The photo is gone'));
    }
    size() {
      return Promise.resolve(undefined);
    }
  };
}

function oauthKeys({ remoteSources }: Pick<AppContext['config'], 'remoteSources'>) {
  const keys = {
    dropbox: remoteSources.dropbox,
    onedrive: remoteSources.onedrive,
    'google-drive': remoteSources.googleDrive,
  };
  return Object.fromEntries(
    OAUTH_SOURCES.flatMap((source) => (keys[source] ? [[PROVIDERS[source], { ...keys[source] }]] : [])),
  );
}

/** Removes what a killed process has left; the data folder has one process. */
async function openTemporaryFolder(folder: string | null): Promise<string> {
  if (!folder) return mkdtemp(join(tmpdir(), 'mems-remote-'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
