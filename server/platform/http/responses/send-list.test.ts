import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createdAtCursor, toPage } from '../../pagination.ts';
import { sendList } from './send-list.ts';

const FIRST = { createdAt: new Date(0), id: '00000000-0000-7000-8000-000000000000' };

let rows = '1,2';
/** Called before each reading of the second page. */
let beforeReading: () => void;
beforeEach(() => (beforeReading = () => undefined));

const app = express().get('/', (request, response) =>
  sendList(request, response, toPage({ limit: undefined, cursor: undefined }, createdAtCursor), (after) => {
    if (after) {
      beforeReading();
      return Promise.resolve({ json: rows.slice(2), next: null });
    }
    return Promise.resolve({ json: rows.slice(0, 1), next: FIRST });
  }),
);
const server = createServer(app);
afterAll(() => void server.close());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Not by fetch, which adds `Cache-Control: no-cache`. */
async function list(etag = '') {
  const [response] = (await once(get(origin, { headers: { 'If-None-Match': etag } }), 'response')) as [
    IncomingMessage,
  ];
  return { status: response.statusCode, etag: response.headers.etag, text: await text(response) };
}

it('a list of several pages is revalidated by its ETag', async () => {
  const first = await list();
  expect(first).toMatchObject({ status: 200, text: '[1,2]' });
  const { etag } = first;
  expect(await list(etag)).toEqual({ status: 304, etag, text: '' });
  rows = '1,3';
  expect(await list(etag)).toMatchObject({ status: 200, text: '[1,3]' });
});

it('a list that changes between its ETag and its body, and back, is sent again', async () => {
  rows = '1,2';
  let readings = 0;
  beforeReading = () => (readings++ === 1 ? (rows = '1,9') : undefined);
  const changed = await list();
  expect(changed).toMatchObject({ status: 200, text: '[1,9]' });
  rows = '1,2';
  expect(await list(changed.etag)).toMatchObject({ status: 200, text: '[1,2]' });
  const { etag } = await list();
  expect((await list(etag)).status).toBe(304);
});
