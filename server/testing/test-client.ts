/** A response, completely read. `body` is the parsed JSON, or null if it is not JSON. */
export type TestResponse = { status: number; headers: Headers; text: string; body: unknown; bytes: Buffer };

export type TestClient = {
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(path: string, json?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** The Cookie header: `name=value`, or empty. */
  cookie(): string;
  setCookie(cookie: string): void;
};

type RequestOptions = { json?: unknown; body?: Buffer | string | FormData; headers?: Record<string, string> };

/** An HTTP client that keeps the session cookie and sends the headers of a same-origin page. */
export function createTestClient(origin: string): TestClient {
  let cookie = '';
  const client: TestClient = {
    async request(method, path, { json, body, headers } = {}) {
      const response = await fetch(new URL(path, origin), {
        method,
        redirect: 'manual',
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          ...(cookie && { Cookie: cookie }),
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
          // As browsers do; fetch alone would add no-cache to a conditional request.
          'Cache-Control': 'max-age=0',
          ...headers,
        },
        ...(json !== undefined ? { body: JSON.stringify(json) } : body !== undefined ? { body } : {}),
      });
      for (const each of response.headers.getSetCookie()) {
        const [pair = ''] = each.split(';');
        cookie = /Expires=Thu, 01 Jan 1970/.test(each) ? '' : pair;
      }
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = bytes.toString('utf8');
      return { status: response.status, headers: response.headers, text, body: parseJson(text), bytes };
    },
    get: (path, headers) => client.request('GET', path, headers ? { headers } : {}),
    post: (path, json, headers) =>
      client.request('POST', path, { json: json ?? {}, ...(headers && { headers }) }),
    cookie: () => cookie,
    setCookie: (value) => {
      cookie = value;
    },
  };
  return client;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
