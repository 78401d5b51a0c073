import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { createTwilioMediaHosts, type TwilioMediaHosts } from './twilio-media.ts';

export const TWILIO_ACCOUNT = { sid: `AC${'0123456789abcdef'.repeat(2)}`, authToken: 'for-tests-only' };

/** A faulty response to one call. `endless`: a body that never ends, byte by byte. */
export type TwilioFault =
  { status: number; code?: number; body?: string; retryAfter?: string } | 'silence' | 'endless' | 'cut';

/** `media`: what `attach` returned. */
export type StoredSms = {
  sid: string;
  from: string;
  to: string;
  body: string;
  media: string[];
  sentAt: Date;
};

export type TestTwilioServer = {
  url: string;
  /** The form of each accepted message. */
  received: Record<string, string>[];
  /** Messages that were sent to us, which the API lists. */
  inbox: StoredSms[];
  /** Faults for the next calls, one each. */
  failNext(...faults: TwilioFault[]): void;
  /** Media of messages: `url` requires the password and redirects to `cdnUrl`. */
  media: Pick<TwilioMediaHosts, 'requests' | 'failNext'> & {
    cdnUrl: string;
    /** Adds a media file. @returns its URL for a webhook */
    attach(bytes: Buffer, contentType: string): string;
  };
};

/** Twilio's Messages and Media resources, per its public documentation. Closed after the test file. */
export async function startTwilioServer(account = TWILIO_ACCOUNT): Promise<TestTwilioServer> {
  const received: Record<string, string>[] = [];
  const inbox: StoredSms[] = [];
  const faults: TwilioFault[] = [];
  const authorization = `Basic ${Buffer.from(`${account.sid}:${account.authToken}`).toString('base64')}`;

  const media = createTwilioMediaHosts(account, () => cdnUrl);
  const url = await listen((request, response) => void handle(request, response));
  const cdnUrl = await listen((request, response) => media.respondAsCdn(request, response));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET' && request.url?.includes('.json')) return list(request, response);
    if (request.method === 'GET') return media.respondAsApi(request, response);
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const fault = faults.shift();
    if (fault) return fail(response, fault);
    if (request.method !== 'POST' || request.url !== `/2010-04-01/Accounts/${account.sid}/Messages.json`)
      return sendError(response, 404, 20_404, 'The requested resource was not found');
    if (request.headers.authorization !== authorization)
      return sendError(response, 401, 20_003, 'Authenticate');
    if (request.headers['content-type']?.split(';')[0] !== 'application/x-www-form-urlencoded')
      return sendError(response, 415, 20_415, 'Unsupported Media Type');
    if (!form['To']) return sendError(response, 400, 21_604, "A 'To' phone number is required.");
    if (!form['From'] && !form['MessagingServiceSid'])
      return sendError(response, 400, 21_603, "A 'From' phone number is required.");
    if (!form['Body']) return sendError(response, 400, 21_602, 'Message body is required.');
    received.push(form);
    sendJson(response, 201, messageOf(account.sid, form, received.length));
  }

  /** The newest messages first, one a page, and the media of a message. */
  function list(request: IncomingMessage, response: ServerResponse): void {
    const fault = faults.shift();
    if (fault) return fail(response, fault);
    if (request.headers.authorization !== authorization)
      return sendError(response, 401, 20_003, 'Authenticate');
    const base = `/2010-04-01/Accounts/${account.sid}/Messages`;
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const message = inbox.find(({ sid }) => pathname === `${base}/${sid}/Media.json`);
    if (message)
      return sendJson(response, 200, {
        media_list: message.media.map((each) => mediaOf(account.sid, message.sid, each.slice(url.length))),
        next_page_uri: null,
      });
    if (pathname !== `${base}.json`) return sendError(response, 404, 20_404, 'Not found');
    const since = new Date(searchParams.get('DateSent>') ?? searchParams.get('DateSent>=') ?? 0);
    const matching = inbox
      .filter(({ to, sentAt }) => to === (searchParams.get('To') ?? to) && sentAt > since)
      .sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
    const page = Number(searchParams.get('Page') ?? 0);
    searchParams.set('Page', String(page + 1));
    sendJson(response, 200, {
      messages: matching.slice(page, page + 1).map((each) => toMessageResource(account.sid, each)),
      next_page_uri: page + 1 < matching.length ? `${base}.json?${searchParams.toString()}` : null,
    });
  }

  function fail(response: ServerResponse, fault: TwilioFault): void {
    if (fault === 'silence') return;
    if (fault === 'cut') return void response.destroy();
    if (fault === 'endless') return pour(response);
    if (fault.retryAfter) response.setHeader('Retry-After', fault.retryAfter);
    if (fault.body !== undefined) return void response.writeHead(fault.status).end(fault.body);
    sendError(response, fault.status, fault.code ?? 20_500, 'Something is wrong');
  }

  return {
    url,
    received,
    inbox,
    failNext: (...next) => void faults.push(...next),
    media: { ...media, cdnUrl, attach: (bytes, contentType) => url + media.attach(bytes, contentType) },
  };
}

/** @returns its origin */
async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function messageOf(accountSid: string, form: Record<string, string>, count: number) {
  const sid = `SM${String(count).padStart(32, '0')}`;
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: form['Body'],
    date_created: new Date().toUTCString(),
    date_sent: null,
    date_updated: new Date().toUTCString(),
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: form['From'] ?? null,
    messaging_service_sid: form['MessagingServiceSid'] ?? null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: 'USD',
    sid,
    status: form['MessagingServiceSid'] ? 'accepted' : 'queued',
    subresource_uris: { media: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media.json` },
    to: form['To'],
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
  };
}

function toMessageResource(accountSid: string, { sid, from, to, body, media, sentAt }: StoredSms) {
  return {
    ...messageOf(accountSid, { From: from, To: to, Body: body }, 0),
    date_created: sentAt.toUTCString(),
    date_sent: sentAt.toUTCString(),
    direction: 'inbound',
    num_media: String(media.length),
    sid,
    status: 'received',
  };
}

function mediaOf(accountSid: string, parentSid: string, path: string) {
  return {
    sid: path.split('/').at(-1),
    account_sid: accountSid,
    parent_sid: parentSid,
    content_type: 'image/jpeg',
    date_created: new Date().toUTCString(),
    date_updated: new Date().toUTCString(),
    uri: `${path}.json`,
  };
}

function sendError(response: ServerResponse, status: number, code: number, message: string): void {
  sendJson(response, status, {
    code,
    message,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Byte by byte, so that no idle timeout fires. */
function pour(response: ServerResponse): void {
  response.writeHead(201, { 'Content-Type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}
