import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { NotFoundError } from '../errors.ts';
import type { ByteRange, ObjectStorage } from '../object-storage/object-storage.ts';

/** Sends an immutable object or a range of it, privately cacheable. A 304 needs no storage access. @throws NotFoundError */
export async function sendObject(
  request: Request,
  response: Response,
  storage: Pick<ObjectStorage, 'sizeOf' | 'open'>,
  object: {
    key: string;
    etag: string;
    contentType: string;
    /** Defaults to immutable. */
    cacheControl?: string;
    /** Called if the object is missing. */
    create?: () => Promise<unknown>;
  },
): Promise<void> {
  const etag = `"${object.etag}"`;
  response.set({
    ETag: etag,
    'Cache-Control': object.cacheControl ?? 'private, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    // The bytes are a user's: opened as a page, they must not run scripts.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (request.fresh) return void response.status(304).end();
  let size = await storage.sizeOf(object.key);
  if (size === null && object.create) {
    await object.create();
    size = await storage.sizeOf(object.key);
  }
  if (size === null) throw new NotFoundError();

  const range = requestedRange(request, etag, size);
  if (range === 'unsatisfiable') {
    response.removeHeader('ETag');
    response
      .status(416)
      .set({ 'Content-Range': `bytes */${size}`, 'Cache-Control': 'no-store' })
      .end();
    return;
  }
  response.type(object.contentType);
  if (range) response.status(206).set('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  response.set('Content-Length', String(range ? range.end - range.start + 1 : size));
  if (request.method === 'HEAD') return void response.end();
  const stream = await storage.open(object.key, range);
  if (!stream) throw new NotFoundError();
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    // The browser closed the connection, for example after scrolling on.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** Null for none or several ranges, which the whole object answers. */
function requestedRange(request: Request, etag: string, size: number): ByteRange | null | 'unsatisfiable' {
  const condition = request.get('If-Range');
  if (condition && condition !== etag) return null;
  const ranges = request.range(size);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
