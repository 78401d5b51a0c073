import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * What the API's host answers to one call, in place of the way to the media. `silence`: nothing at all. `endless`: a body
 * that never ends; `trickle`: byte after byte. `short`: less than it said. `cut`: the connection breaks.
 */
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
  /** Attaches something to a message. @returns its path on the API's host */
  attach(bytes: Buffer, contentType: string): string;
  /** What was asked for, in its order. */
  requests: MediaRequest[];
  /** What the API's host answers to the next calls, one each. */
  failNext(...faults: MediaFault[]): void;
  answerAsApi(request: IncomingMessage, response: ServerResponse): void;
  answerAsCdn(request: IncomingMessage, response: ServerResponse): void;
};

/**
 * Twilio's Media resource as its public documentation has it: GET .../Messages/{sid}/Media/{sid} with HTTP basic
 * authentication leads on to an address of a store, good for a while. The store takes no second proof beside that, as S3
 * takes none.
 */
export function createTwilioMediaHosts(
  account: { sid: string; authToken: string },
  cdnUrl: () => string,
): TwilioMediaHosts {
  const media = new Map<string, { bytes: Buffer; contentType: string }>();
  const requests: MediaRequest[] = [];
  const faults: MediaFault[] = [];
  const expected = `Basic ${Buffer.from(`${account.sid}:${account.authToken}`).toString('base64')}`;
  const base = `/2010-04-01/Accounts/${account.sid}/Messages/MM${'0'.repeat(32)}/Media/`;

  const note = (host: MediaRequest['host'], request: IncomingMessage) => {
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
    answerAsApi(request, response) {
      note('api', request);
      const fault = faults.shift();
      if (fault) return fail(response, fault);
      if (request.headers.authorization !== expected) return void response.writeHead(401).end();
      const sid = request.url?.startsWith(base) ? request.url.slice(base.length) : '';
      if (!media.has(sid)) return void response.writeHead(404).end();
      response
        .writeHead(307, { Location: `${cdnUrl()}/${account.sid}/${sid}?Signature=good-for-a-while` })
        .end();
    },
    answerAsCdn(request, response) {
      note('cdn', request);
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

/** Without end and without a length. */
function pour(response: ServerResponse, piece: Buffer, pauseMs: number): void {
  response.writeHead(200, { 'Content-Type': 'image/jpeg' });
  const timer = setInterval(() => response.write(piece), pauseMs);
  response.on('close', () => clearInterval(timer));
}
