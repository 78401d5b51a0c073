import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { NotFoundError } from '../errors.ts';
import type { ByteRange, ObjectStorage } from '../object-storage/object-storage.ts';

/**
 * Sends bytes that never change, whole or a range of them, for their owner's cache alone. A browser that has them is
 * told so without a look into the storage. What is not there is created first, when that is possible.
 * @throws NotFoundError when they are gone
 */
export async function sendObject(
  request: Request,
  response: Response,
  storage: Pick<ObjectStorage, 'sizeOf' | 'open'>,
  object: {
    key: string;
    etag: string;
    contentType: string;
    /** Absent: to be kept for good. */
    cacheControl?: string;
    create?: () => Promise<unknown>;
  },
): Promise<void> {
  const etag = `"${object.etag}"`;
  response.set({
    ETag: etag,
    'Cache-Control': object.cacheControl ?? 'private, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    // Whatever the bytes hold, opened as a page they may do nothing.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (request.fresh) {
    response.status(304).end();
    return;
  }
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
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const stream = await storage.open(object.key, range);
  if (!stream) throw new NotFoundError();
  await pipeline(stream, response).catch((error: NodeJS.ErrnoException) => {
    // Somebody scrolled on before the picture was there.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** One range, as players and resuming downloads ask for; several at once are answered by the whole. */
function requestedRange(request: Request, etag: string, size: number): ByteRange | null | 'unsatisfiable' {
  const condition = request.get('If-Range');
  if (condition && condition !== etag) return null;
  const ranges = request.range(size);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
