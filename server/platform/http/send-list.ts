import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { ListPage, Page } from '../pagination.ts';
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

  async function* readAll() {
    yield `[${first.json}`;
    for (let { next } = first; next && !response.destroyed;) {
      const page = await readPage(codec.parse(codec.format(next)));
      if (page.json) yield `,${page.json}`;
      next = page.next;
    }
    yield ']';
  }
  const hash = createHash('sha256');
  for await (const text of readAll()) hash.update(text);
  response.set('ETag', `W/"${hash.digest('base64url')}"`);
  if (request.fresh) return void response.status(304).end();
  await pipeToClient(Readable.from(readAll(), { highWaterMark: 1 }), response);
}
