import { isDeepStrictEqual } from 'node:util';
import type { BenchCase } from '../cases/bench-case.ts';
import type { MeasuredServer } from './measured-server.ts';

/** @throws Error if the responses differ or have another status than the case expects */
export async function compareResponses(
  benchCase: BenchCase,
  app: MeasuredServer,
  baseline: MeasuredServer,
): Promise<void> {
  const { name, status = 200 } = benchCase;
  for (const index of app.requests.keys()) {
    const responses = [await ask(app, index), await ask(baseline, index)] as const;
    for (const response of responses) {
      if (response.status === status) continue;
      throw new Error(`${name}: ${response.url} answered ${response.status}: ${response.bytes.toString()}`);
    }
    const [ofApp, ofBaseline] = responses.map(parseResponse);
    if (!isDeepStrictEqual(ofApp, ofBaseline))
      throw new Error(`${name}: the responses of app and baseline differ at ${app.requests[index]?.path}`);
  }
}

type MeasuredResponse = { url: string; status: number; type: string | null; bytes: Buffer };

async function ask({ origin, requests }: MeasuredServer, index: number): Promise<MeasuredResponse> {
  const { path, method, headers, body } = requests[index] as MeasuredServer['requests'][number];
  const url = `${origin}${path}`;
  // Without this, fetch adds no-cache to a conditional request.
  const init = { method, headers: { ...headers, 'Cache-Control': 'max-age=0' }, ...(body && { body }) };
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { url, status: response.status, type: response.headers.get('Content-Type'), bytes };
}

/** Parsed JSON, or the bytes. */
function parseResponse({ type, bytes }: MeasuredResponse): unknown {
  return type?.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes;
}
