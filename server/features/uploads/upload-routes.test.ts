import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { IMAGE_WIDTHS } from '#shared/photos/image-widths';
import { projectRoot } from '../../platform/process/project-root.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory, completeUpload, putPhoto } from '../../testing/data/factories.ts';
import { colorAt, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { variantKey } from '../images/image-variants.ts';

let server: TestServer;
let owner: TestClient;
let now = new Date('2026-06-01T12:00:00Z');

beforeAll(async () => {
  server = await startTestServer({ overrides: { clock: { now: () => now } } });
  owner = await server.signUp();
});

const ask = async (client: TestClient, body: { size?: number; contentType?: string } = {}) =>
  ((await client.post('/api/objects/upload', { size: 1000, ...body })).body as { uploadURL: string })
    .uploadURL;

const put = (url: string, body: Buffer, contentType = 'image/jpeg') =>
  server.visitor().request('PUT', url, { body, headers: { 'Content-Type': contentType } });

describe('POST /api/objects/upload', () => {
  it('returns an absolute URL at the requested origin', async () => {
    const url = new URL(await ask(owner));
    expect(url.origin).toBe(server.origin);
    expect(url.pathname).toMatch(/^\/uploads\/[0-9a-f-]{36}$/);
  });

  it('rejects more than 10 MB, and accepts exactly 10 MB', async () => {
    expect((await owner.post('/api/objects/upload', { size: 10_485_761 })).status).toBe(413);
    expect((await owner.post('/api/objects/upload', { size: 10_485_760 })).status).toBe(200);
  });

  it('validates its fields', async () => {
    for (const body of [
      { size: 5, contentType: 'photo' },
      { size: 5, contentType: 'a/b\r\nX: y' },
      { size: -1 },
      { size: 1.5 },
      { size: '9' },
    ]) {
      expect((await owner.post('/api/objects/upload', body)).status).toBe(422);
    }
  });

  it('is rate limited per account', async () => {
    const limited = await startTestServer({ env: { UPLOADS_PER_MINUTE: '3' } });
    const eager = await limited.signUp();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => eager.post('/api/objects/upload', { size: 1000 })),
    );
    expect(answers.map((each) => each.status).sort()).toEqual([200, 200, 200, 429, 429]);
    expect((await (await limited.signUp()).post('/api/objects/upload', { size: 1000 })).status).toBe(200);
  });
});

describe('PUT uploadURL', () => {
  it('needs a signature, but no session', async () => {
    const photo = await makePhoto();
    expect((await put(await ask(owner, { size: photo.length }), photo)).status).toBe(200);
  });

  it('rejects a URL with any part tampered with', async () => {
    const photo = await makePhoto();
    const url = await ask(owner, { contentType: 'image/jpeg', size: photo.length });
    const other = new URL(await ask(owner)).pathname;
    const tampered = [
      'expires=99999999999',
      'max=99999999999',
      'type=text/html',
      'size=',
      'signature=',
      'signature=AAAA',
    ].map((change) => {
      const [name = '', value = ''] = change.split('=');
      const changed = new URL(url);
      changed.searchParams.set(name, value);
      return changed.href;
    });
    tampered.push(
      url.replace(new URL(url).pathname, other),
      url.replace(/\?.*/, ''),
      `${url}&signature=AAAA`,
    );
    for (const each of tampered) expect([each, (await put(each, photo)).status]).toEqual([each, 403]);
    expect((await put(url, photo)).status).toBe(200);
  });

  it('rejects another type or size than signed', async () => {
    const photo = await makePhoto();
    const url = await ask(owner, { contentType: 'image/jpeg', size: photo.length });
    expect((await put(url, photo, 'text/html')).status).toBe(403);
    expect((await put(url, Buffer.concat([photo, photo]))).status).toBe(400);
    expect((await put(url, photo.subarray(1))).status).toBe(400);
  });

  it('rejects what is too large, with and without Content-Length', async () => {
    const url = await ask(owner, { size: 10_485_760 });
    const tooMuch = Buffer.alloc(10_485_761);
    expect(await putChunked(url, tooMuch, true)).toBe(413);
    expect(await putChunked(url, tooMuch, false)).toBe(413);
    expect((await completeUpload(owner, { uploadURL: url })).status).toBe(409);
  });

  it('rejects a URL after 15 minutes', async () => {
    const photo = await makePhoto();
    const url = await ask(owner, { size: photo.length });
    now = new Date(now.getTime() + 15 * 60 * 1000);
    const response = await put(url, photo);
    expect([response.status, response.body]).toEqual([
      403,
      { message: 'Request has expired', code: 'forbidden' },
    ]);
  });

  it('is 409 once the upload became a memory', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto());
    const memory = (await completeUpload(owner, { uploadURL })).body as { imageUrl: string };
    const before = (await owner.get(memory.imageUrl)).bytes;
    const response = await put(uploadURL, await makePhoto({ width: 33 }));
    expect([response.status, response.body]).toEqual([
      409,
      { message: 'This upload is already completed.', code: 'conflict' },
    ]);
    expect((await owner.get(memory.imageUrl)).bytes.equals(before)).toBe(true);
  });

  it('stores nothing if the client disconnects', async () => {
    const url = await ask(owner, { size: 1000, contentType: 'image/jpeg' });
    await new Promise<void>((resolve) => {
      const request = httpRequest(url, {
        method: 'PUT',
        headers: { 'Content-Type': 'image/jpeg', 'Content-Length': 1000 },
      });
      request.on('error', () => resolve());
      request.write(Buffer.alloc(500), () => request.destroy(new Error('gone')));
    });
    expect((await completeUpload(owner, { uploadURL: url })).status).toBe(409);
  });
});

describe('GET /objects/:id', () => {
  it('returns the original, which the browser’s cache must revalidate', async () => {
    const photo = await makePhoto({ orientation: 6 });
    const { imageUrl } = await addMemory(owner, { photo });
    const response = await owner.get(imageUrl);
    expect(response.bytes.equals(photo)).toBe(true);
    expect(response.headers.get('Content-Type')).toBe('image/jpeg');
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.getSetCookie()).toEqual([]);
    const again = await owner.get(imageUrl, { 'If-None-Match': response.headers.get('ETag') ?? '' });
    expect(again.status).toBe(304);
    const download = await owner.get(`${imageUrl}/original`);
    expect(download.headers.get('Content-Disposition')).toMatch(/^attachment; filename=.*\.jpg$/);
    expect(download.bytes.equals(photo)).toBe(true);
  });

  it('is cached for minutes as a tile, for the same session only, and never as a large photo', async () => {
    const { imageUrl } = await addMemory(owner);
    const paths = ['?w=200', '?w=800', '?w=1600', '', '/original'].map((end) => imageUrl + end);
    const first = await Promise.all(paths.map((path) => owner.get(path)));
    const headersOf = (name: string) => first.map(({ headers }) => headers.get(name));
    const [tile, large] = ['private, max-age=300', 'private, no-cache'];
    expect(headersOf('Cache-Control')).toEqual([tile, tile, large, large, large]);
    for (const vary of headersOf('Vary')) expect(vary).toContain('Cookie');

    const revalidate = () =>
      Promise.all(
        paths.map((path, index) =>
          owner.get(path, { 'If-None-Match': first[index]?.headers.get('ETag') ?? '' }),
        ),
      );
    expect((await revalidate()).map(({ status, bytes }) => [status, bytes.length])).toEqual(
      Array(5).fill([304, 0]),
    );
    const cookie = owner.cookie();
    expect((await owner.post('/api/logout')).status).toBe(204);
    owner.setCookie(cookie);
    for (const { status, headers } of await revalidate())
      expect([status, headers.get('Cache-Control')]).toEqual([401, 'no-store']);
    owner = await server.signUp();
  });

  it.each([1, 3, 6, 8] as const)(
    'answers an upright WebP without metadata for a photo of orientation %s',
    async (orientation) => {
      const photo = await makePhoto({ width: 600, height: 900, orientation });
      const { imageUrl } = await addMemory(owner, { photo });
      const response = await owner.get(`${imageUrl}?w=400`);
      expect(response.headers.get('Content-Type')).toBe('image/webp');
      const { default: sharp } = await import('sharp');
      const metadata = await sharp(response.bytes).metadata();
      expect(metadata).toMatchObject({ format: 'webp', width: 400, height: 600 });
      expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined]);
      expect(await colorAt(response.bytes, 0.5, 0.1)).toBe('red');
      expect(await colorAt(response.bytes, 0.5, 0.9)).toBe('blue');
    },
  );

  it.each([
    ['webp', 6],
    ['webp', 3],
    ['png', 8],
  ] as const)(
    'answers an upright photo of full size for a %s of orientation %s',
    async (format, orientation) => {
      const photo = await makePhoto({ width: 600, height: 900, format, orientation });
      const { imageUrl } = await addMemory(owner, { photo });
      const { bytes } = await owner.get(imageUrl);
      const { default: sharp } = await import('sharp');
      const metadata = await sharp(bytes).metadata();
      expect(metadata).toMatchObject({ width: 600, height: 900 });
      expect(metadata.orientation).toBeUndefined();
      expect(await colorAt(bytes, 0.5, 0.1)).toBe('red');
      expect(await colorAt(bytes, 0.5, 0.9)).toBe('blue');
      expect((await owner.get(`${imageUrl}/original`)).bytes.equals(photo)).toBe(true);
    },
  );

  it('creates the widths in a job, never larger than the original, and identical on demand', async () => {
    const { imageUrl } = await addMemory(owner, { photo: await makePhoto({ width: 300, height: 450 }) });
    const onDemand = await owner.get(`${imageUrl}?w=200`);
    await server.drainJobs();
    expect((await owner.get(`${imageUrl}?w=200`)).bytes.equals(onDemand.bytes)).toBe(true);
    const { storage } = server.context;
    const id = imageUrl.replace('/objects/', '');
    for (const width of IMAGE_WIDTHS) expect(await storage.sizeOf(variantKey(id, width))).toBeGreaterThan(0);
    const { default: sharp } = await import('sharp');
    expect((await sharp((await owner.get(`${imageUrl}?w=1600`)).bytes).metadata()).width).toBe(300);
  });

  it('shows a HEIC as an upright full-size JPEG, and downloads the original', async () => {
    const photo = await readFile(join(projectRoot, 'server/testing/fixtures/iphone.heic'));
    const { imageUrl } = await addMemory(owner, { photo });
    const shown = await owner.get(imageUrl);
    expect(shown.headers.get('Content-Type')).toBe('image/jpeg');
    const { default: sharp } = await import('sharp');
    expect(await sharp(shown.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 4032, height: 3024 });
    const original = await owner.get(`${imageUrl}/original`);
    expect(original.headers.get('Content-Disposition')).toMatch(/\.heic$/);
    expect(original.bytes.equals(photo)).toBe(true);
  });

  it('supports ranges', async () => {
    const photo = await makePhoto();
    const { imageUrl } = await addMemory(owner, { photo });
    const range = async (value: string, headers = {}) => owner.get(imageUrl, { Range: value, ...headers });
    const middle = await range('bytes=10-19');
    expect([
      middle.status,
      middle.headers.get('Content-Range'),
      middle.headers.get('Content-Length'),
    ]).toEqual([206, `bytes 10-19/${photo.length}`, '10']);
    expect(middle.bytes.equals(photo.subarray(10, 20))).toBe(true);
    expect((await range('bytes=-5')).bytes.equals(photo.subarray(-5))).toBe(true);
    expect((await range('bytes=99999999-')).status).toBe(416);
    expect((await range('bytes=0-1,5-6')).status).toBe(200);
    expect((await range('bytes=0-1', { 'If-Range': '"other"' })).status).toBe(200);
    expect((await range('bytes=0-1', { 'If-Range': middle.headers.get('ETag') ?? '' })).status).toBe(206);
  });

  it('rejects unsupported widths', async () => {
    const { imageUrl } = await addMemory(owner);
    for (const width of ['0', '201', '99999', 'x', ''])
      expect((await owner.get(`${imageUrl}?w=${width}`)).status).toBe(422);
  });
});

/** fetch supports neither a missing Content-Length nor a body that the server does not read. */
function putChunked(url: string, body: Buffer, isAnnounced: boolean): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = isAnnounced ? { 'Content-Length': body.length } : { 'Transfer-Encoding': 'chunked' };
    const request = httpRequest(url, { method: 'PUT', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    // The response came before the whole body was sent.
    request.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? undefined : reject(error),
    );
    request.end(body);
  });
}
