import type { IncomingMessage, ServerResponse } from 'node:http';

/** `trickle`: an endless body, byte by byte. `short`: less than Content-Length. `cut`: the connection breaks. */
export type MediaFault =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  | { redirect: string }
  | 'silence'
  | 'endless'
  | 'trickle'
  | 'short'
  | 'cut';

export type MediaRequest = { host: 'api' | 'cdn'; path: string; authorization: string | undefined };

export type TwilioMediaHosts = {
  /** Adds a media file. @returns its path on the API's host */
  attach(bytes: Buffer, contentType: string): string;
  /** In order. */
  requests: MediaRequest[];
  /** Faults of the API's host for the next calls, one each. */
  failNext(...faults: MediaFault[]): void;
  respondAsApi(request: IncomingMessage, response: ServerResponse): void;
  respondAsCdn(request: IncomingMessage, response: ServerResponse): void;
};

/** Twilio's Media resource: redirects to a signed URL, which like S3 rejects a second authentication. */
export function createTwilioMediaHosts(
  account: { sid: string; authToken: string },
  cdnUrl: () => string,
): TwilioMediaHosts {
  const media = new Map<string, { bytes: Buffer; contentType: string }>();
  const requests: MediaRequest[] = [];
  const faults: MediaFault[] = [];
  const expected = `Basic ${Buffer.from(`${account.sid}:${account.authToken}`).toString('base64')}`;
  const base = `/2010-04-01/Accounts/${account.sid}/Messages/MM${'0'.repeat(32)}/Media/`;

  const record = (host: MediaRequest['host'], request: IncomingMessage) => {
    const { authorization } = request.headers;
    requests.push({ host, path: request.url ?? '', authorization });
  };

  return {
    attach(bytes, contentType) {
      const sid = `ME${String(media.size + 1).padStart(32, '0')}`;
      media.set(sid, { bytes, contentType });
      return base + sid;
    },
    requests,
    failNext: (...next) => void faults.push(...next),
    respondAsApi(request, response) {
      record('api', request);
      const fault = faults.shift();
      if (fault) return fail(response, fault);
      if (request.headers.authorization !== expected) return void response.writeHead(401).end();
      const sid = request.url?.startsWith(base) ? request.url.slice(base.length) : '';
      if (!media.has(sid)) return void response.writeHead(404).end();
      response
        .writeHead(307, { Location: `${cdnUrl()}/${account.sid}/${sid}?Signature=good-for-a-while` })
        .end();
    },
    respondAsCdn(request, response) {
      record('cdn', request);
      const found = media.get(/ME\d{32}/.exec(request.url ?? '')?.[0] ?? '');
      if (request.headers.authorization) return void response.writeHead(400).end();
      if (!found) return void response.writeHead(404).end();
      const { bytes, contentType } = found;
      response.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length }).end(bytes);
    },
  };
}

function fail(response: ServerResponse, fault: MediaFault): void {
  if (fault === 'silence') return;
  if (fault === 'cut') return void response.destroy();
  if (fault === 'short') return void response.writeHead(200, { 'Content-Length': 1000 }).end('short');
  if (fault === 'endless') return pour(response, Buffer.alloc(64 * 1024), 0);
  if (fault === 'trickle') return pour(response, Buffer.alloc(1), 20);
  if ('redirect' in fault) return void response.writeHead(307, { Location: fault.redirect }).end();
  response.writeHead(fault.status, fault.headers).end(fault.body);
}

/** Endless, without Content-Length. */
function pour(response: ServerResponse, piece: Buffer, pauseMs: number): void {
  response.writeHead(200, { 'Content-Type': 'image/jpeg' });
  const timer = setInterval(() => response.write(piece), pauseMs);
  response.on('close', () => clearInterval(timer));
}
