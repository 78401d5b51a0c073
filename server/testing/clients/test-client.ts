import * as z from 'zod/mini';
import { ApiErrorBody } from '#shared/api/api-error';

const ClientErrorBody = z.extend(ApiErrorBody, { code: z.string() });

/** `body` is the parsed JSON, or null. */
export type TestResponse = { status: number; headers: Headers; text: string; body: unknown; bytes: Buffer };

export type TestClient = {
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(path: string, json?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** The session's, as `name=value`, or empty. */
  cookie(): string;
  setCookie(cookie: string): void;
  /** All of them, as a Cookie header. */
  cookies(): string;
};

type RequestOptions = { json?: unknown; body?: Buffer | string | FormData; headers?: Record<string, string> };

/**
 * Sends the session cookie and the headers that a browser sends from our own pages. @throws for a 4xx in JSON that has no
 * code, in whichever test
 */
export function createTestClient(origin: string): TestClient {
  let cookie = '';
  /** Kept after the session: of known devices, of a sign-in with OpenID Connect, and of accounts that are back. */
  const otherCookies = new Map<string, string>();
  const client: TestClient = {
    async request(method, path, { json, body, headers } = {}) {
      const response = await fetch(new URL(path, origin), {
        method,
        redirect: 'manual',
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          ...(client.cookies() && { Cookie: client.cookies() }),
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          // As browsers do; without it, fetch adds no-cache to a conditional request.
          'Cache-Control': 'max-age=0',
          ...headers,
        },
        ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body } : {}),
      });
      for (const each of response.headers.getSetCookie()) {
        const [pair = ''] = each.split(';');
        const isCleared = /Expires=Thu, 01 Jan 1970/.test(each);
        const [name = ''] = pair.split('=');
        if (!/^mems\.(device-|oidc$|back$)/.test(name)) cookie = isCleared ? '' : pair;
        else if (isCleared) otherCookies.delete(name);
        else otherCookies.set(name, pair);
      }
      const result = toTestResponse(response, Buffer.from(await response.arrayBuffer()));
      if (isJsonClientError(response)) ClientErrorBody.parse(result.body);
      return result;
    },
    get: (path, headers) => client.request('GET', path, headers ? { headers } : {}),
    post: (path, json, headers) =>
      client.request('POST', path, { json: json ?? {}, ...(headers && { headers }) }),
    cookie: () => cookie,
    setCookie: (value) => {
      cookie = value;
    },
    cookies: () => [cookie, ...otherCookies.values()].filter(Boolean).join('; '),
  };
  return client;
}

/** Decodes the bytes only for a test that asks for text: they may be those of a large file. */
function toTestResponse({ status, headers }: Response, bytes: Buffer): TestResponse {
  let text: string | undefined;
  let body: unknown;
  return {
    status,
    headers,
    bytes,
    get text() {
      return (text ??= bytes.toString('utf8'));
    },
    get body() {
      return (body ??= parseJson(this.text));
    },
  };
}

function isJsonClientError({ status, headers }: Response): boolean {
  return status >= 400 && status < 500 && !!headers.get('Content-Type')?.startsWith('application/json');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
