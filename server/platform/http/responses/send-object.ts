import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { NotFoundError } from '../../errors.ts';
import { REVALIDATED } from './cache-control.ts';
import type { ByteRange, ObjectStorage } from '../../object-storage/object-storage.ts';
import { pipeToClient } from './pipe-to-client.ts';

type StoredObject = {
  key: string;
  etag: string;
  contentType: string;
  /** Defaults to revalidation. */
  cacheControl?: string;
  /** Read at once, with one access to the storage instead of two and without a stream. */
  isSmall?: boolean;
  /** Called if the object is missing. */
  create?: () => Promise<unknown>;
};

type Reader = Pick<ObjectStorage, 'sizeOf' | 'read' | 'open'>;

/** Sends an object that never changes, or a range of it. A 304 needs no storage access. @throws NotFoundError */
export async function sendObject(
  request: Request,
  response: Response,
  storage: Reader,
  object: StoredObject,
): Promise<void> {
  const etag = `"${object.etag}"`;
  response.vary('Cookie');
  response.set({
    ETag: etag,
    'Cache-Control': object.cacheControl ?? REVALIDATED,
    'Accept-Ranges': 'bytes',
    // The bytes are a user's: opened as a page, they must not run scripts.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (request.fresh) return void response.status(304).end();
  let found = await find(storage, object);
  if (!found && object.create) {
    await object.create();
    found = await find(storage, object);
  }
  if (!found) throw new NotFoundError();

  const { size } = found;
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
  const body = await found.read(range);
  if (!body) throw new NotFoundError();
  if (Buffer.isBuffer(body)) return void response.end(body);
  await pipeToClient(body, response);
}

type Found = { size: number; read: (range: ByteRange | null) => Promise<Readable | null> | Buffer };

async function find(storage: Reader, { key, isSmall }: StoredObject): Promise<Found | null> {
  if (isSmall) {
    const bytes = await storage.read(key);
    if (!bytes) return null;
    return {
      size: bytes.length,
      read: (range) => bytes.subarray(range?.start ?? 0, range ? range.end + 1 : bytes.length),
    };
  }
  const size = await storage.sizeOf(key);
  return size === null ? null : { size, read: (range) => storage.open(key, range) };
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
