import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { ListPage, Page } from '../../pagination.ts';
import { linkNext } from './next-page-link.ts';
import { pipeToClient } from './pipe-to-client.ts';

/** Sends the requested page. A list without a limit is read and sent by pages, so that it need not fit into memory. */
export async function sendList<Row, Cursor>(
  request: Request,
  response: Response,
  { codec, limit, after }: Page<Row, Cursor>,
  readPage: (after: Cursor | null) => Promise<ListPage<Row>>,
): Promise<void> {
  response.type('json');
  const first = await readPage(after);
  if (limit !== undefined && first.next) linkNext(request, response, codec, first.next);
  if (limit !== undefined || !first.next) return void response.send(`[${first.json}]`);

  const salt = etagSalt;
  async function* readAll() {
    const hash = createHash('sha256').update(salt);
    const add = (text: string) => {
      hash.update(text);
      return text;
    };
    yield add(`[${first.json}`);
    for (let { next } = first; next && !response.destroyed;) {
      const page = await readPage(codec.parse(codec.format(next)));
      if (page.json) yield add(`,${page.json}`);
      next = page.next;
    }
    return hash.digest('base64url');
  }
  const etag = await readToEnd(readAll());
  response.set('ETag', `W/"${etag}"`);
  if (request.fresh) return void response.status(304).end();

  async function* sendAll() {
    const sent = yield* readAll();
    // Changed in between. Its ETag is of another list, which may be the present one again later.
    if (sent !== etag && !response.destroyed) etagSalt = newSalt();
    yield ']';
  }
  await pipeToClient(Readable.from(sendAll(), { highWaterMark: 1 }), response);
}

/** Part of the hash: a new one invalidates the ETags of all earlier responses. */
let etagSalt = newSalt();

function newSalt(): Buffer {
  return randomBytes(16);
}

async function readToEnd<Result>(generator: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = await generator.next();
    if (done) return value;
  }
}
