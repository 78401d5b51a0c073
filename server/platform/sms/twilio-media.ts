import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import { ForbiddenAddressError, publicLookup } from '../public-http/ssrf-guard.ts';
import { timeoutSignal } from '../time/timeout-signal.ts';
import { MediaRejectedError, type MediaSource } from './media-source.ts';

export type TwilioMediaSettings = {
  accountSid: string;
  authToken: string;
  /** The only origin that gets the account's auth token. */
  apiOrigin: () => string;
  /** URL prefixes that Twilio redirects to. */
  mediaUrls: readonly string[];
};

const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Downloads by HTTPS from public addresses only. An http URL in the settings is a test server's. */
export function createTwilioMedia(
  settings: TwilioMediaSettings,
  { timeoutMs = TIMEOUT_MS, maxBytes = MAX_UPLOAD_BYTES } = {},
): MediaSource {
  const { accountSid, authToken, apiOrigin, mediaUrls } = settings;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const lookup = publicLookup();

  function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = {
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      ...(url.origin === apiOrigin() && { Authorization: authorization }),
    };
    return new Promise((resolve, reject) => {
      const asked =
        url.protocol === 'https:'
          ? requestHttps(url, { headers, signal, lookup, agent: false })
          : requestHttp(url, { headers, signal, agent: false });
      asked.once('response', resolve).on('error', reject).end();
    });
  }

  /** @throws MediaRejectedError for a URL that is not Twilio's */
  function check(address: string, base?: URL): URL {
    if (!URL.canParse(address, base?.href)) throw forbidden(address);
    const url = new URL(address, base);
    const isAllowed =
      url.origin === apiOrigin() || mediaUrls.some((allowed) => url.href.startsWith(`${allowed}/`));
    if (!isAllowed || url.username || url.password) throw forbidden(url.origin);
    return url;
  }

  async function follow(first: URL, signal: AbortSignal): Promise<{ url: URL; response: IncomingMessage }> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await open(url, signal);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode ?? 0) || !location) return { url, response };
      response.destroy();
      url = check(location, url);
    }
    throw new Error(`${first.origin} redirects too often`);
  }

  async function read(response: IncomingMessage): Promise<Buffer> {
    const tooLarge = () => new MediaRejectedError('tooLarge', `The media has more than ${maxBytes} bytes`);
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  return {
    async download(address, cancelled) {
      // Closes a response that is still open.
      const done = new AbortController();
      const signal = timeoutSignal(timeoutMs, cancelled, done.signal);
      try {
        const { url, response } = await follow(check(address), signal);
        if (response.statusCode !== 200) throw explain(url, response.statusCode ?? 0);
        return { bytes: await read(response), contentType: typeOf(response) };
      } catch (error) {
        if (error instanceof ForbiddenAddressError)
          throw new MediaRejectedError('forbiddenAddress', error.message);
        const isLate = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
        throw isLate ? new Error(`The media did not come within ${timeoutMs} ms`) : error;
      } finally {
        done.abort();
      }
    },
  };
}

function typeOf({ headers }: IncomingMessage): string {
  return (headers['content-type']?.split(';')[0] ?? '').trim().toLowerCase();
}

function explain({ origin }: URL, status: number): Error {
  if (status === 404 || status === 410) return new MediaRejectedError('gone', `${origin}: ${status}`);
  const isAuth = status === 401 || status === 403;
  return new Error(
    isAuth
      ? `${origin} rejected our account (${status}): check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN`
      : `${origin} did not give the media: ${status}`,
  );
}

function forbidden(address: string): MediaRejectedError {
  return new MediaRejectedError(
    'forbiddenAddress',
    `${address} is not among the addresses of Twilio's media`,
  );
}
