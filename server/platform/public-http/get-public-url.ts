import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { timeoutSignal } from '../time/timeout-signal.ts';
import { ForbiddenAddressError, isPublic, publicLookup } from './ssrf-guard.ts';

export type GetErrorReason =
  'invalid' | 'forbidden-address' | 'forbidden-port' | 'redirects' | 'unreachable' | 'too-slow' | 'too-large';

/** The URL cannot be downloaded. */
export class GetError extends Error {
  override readonly name = 'GetError';
  constructor(
    readonly reason: GetErrorReason,
    cause?: unknown,
  ) {
    super(`The download failed: ${reason}`, { cause });
  }
}

export type GetLimits = {
  maxBytes: number;
  maxRedirects: number;
  /** Until the last response's headers. */
  headersMs: number;
  /** For the body. */
  bodyMs: number;
  /** At least so many bytes in each window, except the last. */
  window: { ms: number; minBytes: number };
};

/** `body` fails with a GetError. Reading, and its time limit, start at first use. */
export type PublicResponse = {
  url: URL;
  status: number;
  headers: IncomingMessage['headers'];
  body: Readable;
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** One GET from public addresses, also after each redirect. @throws GetError, also 'too-slow' when it was cancelled */
export async function getPublicUrl(
  address: string,
  limits: GetLimits,
  cancelled: AbortSignal = new AbortController().signal,
): Promise<PublicResponse> {
  const signal = timeoutSignal(limits.headersMs, cancelled);
  let url = parsePublicUrl(address);
  for (let redirects = 0; redirects <= limits.maxRedirects; redirects++) {
    const response = await open(url, signal);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || !location) {
      cancelled.addEventListener('abort', () => response.destroy(new GetError('too-slow')));
      return {
        url,
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: toLimitedBody(response, limits),
      };
    }
    response.destroy();
    url = parsePublicUrl(location, url);
  }
  throw new GetError('redirects');
}

/** Normalizes, so that every spelling of an IP address is checked as one. Websites' own ports only. @throws GetError */
export function parsePublicUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new GetError('invalid');
  const url = new URL(address, base);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) throw new GetError('invalid');
  // Other ports lead to services that are no websites.
  if (!['', '80', '443'].includes(url.port)) throw new GetError('forbidden-port');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A socket does not look up an IP address.
  if (isIP(host) && !isPublic(host)) throw new GetError('forbidden-address');
  return url;
}

function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = {
    Accept: 'image/*,*/*;q=0.5',
    'Accept-Encoding': 'identity',
    'User-Agent': 'MemsAreForever/1.0',
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(url, { headers, lookup: publicLookup(), agent: false });
    const abort = () => asked.destroy(new GetError('too-slow'));
    signal.addEventListener('abort', abort);
    // The signal must not interrupt the body, which has limits of its own.
    const settle = () => signal.removeEventListener('abort', abort);
    asked.once('response', (response) => {
      settle();
      resolve(response);
    });
    asked.on('error', (error) => {
      settle();
      reject(toGetError(error));
    });
    // The only event after a response that switches protocols (101).
    asked.once('close', () => {
      settle();
      reject(new GetError('unreachable'));
    });
    if (signal.aborted) abort();
    asked.end();
  });
}

function toGetError(error: unknown): GetError {
  if (error instanceof GetError) return error;
  return new GetError(error instanceof ForbiddenAddressError ? 'forbidden-address' : 'unreachable', error);
}

function toLimitedBody(response: IncomingMessage, limits: GetLimits): Readable {
  const body = Readable.from(readWithin(response, limits), { objectMode: false });
  // An abandoned body, and one whose reader was never started.
  body.on('close', () => response.destroy());
  return body;
}

async function* readWithin(
  response: IncomingMessage,
  { maxBytes, bodyMs, window }: GetLimits,
): AsyncGenerator<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw new GetError('too-large');
  const endsAt = Date.now() + bodyMs;
  let size = 0;
  let sizeAtWindowStart = 0;
  const check = setInterval(() => {
    if (size - sizeAtWindowStart < window.minBytes || Date.now() >= endsAt)
      response.destroy(new GetError('too-slow'));
    sizeAtWindowStart = size;
  }, window.ms);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new GetError('too-large');
      yield chunk;
    }
  } catch (error) {
    throw toGetError(error);
  } finally {
    clearInterval(check);
    response.destroy();
  }
}
