import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { NotFoundError } from '../errors.ts';

type Bytes = Buffer | { size: number; stream: () => Readable };

/**
 * Sends bytes that never change, for their owner's cache alone. A browser that has them is told so, without a look
 * into the storage. @throws NotFoundError when they are gone
 */
export async function sendObject(
  request: Request,
  response: Response,
  object: { etag: string; contentType: string; open: () => Promise<Bytes | null> },
): Promise<void> {
  response.set({
    ETag: `"${object.etag}"`,
    'Cache-Control': 'private, max-age=31536000, immutable',
    // Whatever the bytes hold, opened as a page they may do nothing.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const bytes = await object.open();
  if (!bytes) throw new NotFoundError();
  response.type(object.contentType);
  if (Buffer.isBuffer(bytes)) {
    response.end(bytes);
    return;
  }
  response.set('Content-Length', String(bytes.size));
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(bytes.stream(), response).catch((error: NodeJS.ErrnoException) => {
    // Somebody scrolled on before the picture was there.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}
