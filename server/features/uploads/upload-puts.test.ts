import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { completeUpload } from '../../testing/data/factories.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';

let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signUpAdmin('admin');
});

const ask = async (client: TestClient, size: number) =>
  (
    (await client.post('/api/objects/upload', { contentType: 'image/jpeg', size })).body as {
      uploadURL: string;
    }
  ).uploadURL;

const put = (url: string, body: Buffer) =>
  server.visitor().request('PUT', url, { body, headers: { 'Content-Type': 'image/jpeg' } });

/** Bytes that arrive, by file. */
async function arriving(): Promise<number[]> {
  const folder = join(server.dataDir, 'objects/tmp');
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return Promise.all(sizes);
}

/** A PUT that has sent a part of its bytes, which are stored. */
async function beginPut(url: string, size: number, part: Buffer): Promise<ClientRequest> {
  const headers = { 'Content-Type': 'image/jpeg', 'Content-Length': size };
  const sending = httpRequest(url, { method: 'PUT', headers });
  sending.on('error', () => undefined);
  sending.write(part);
  await expect.poll(arriving, TIMEOUT).toContain(part.length);
  return sending;
}

describe('PUTs to one upload URL', () => {
  it('end the one before, whose bytes are deleted', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const uploadURL = await ask(owner, photo.length);
    const first = await beginPut(uploadURL, photo.length, photo.subarray(0, 100));
    const closed = once(first, 'close');
    expect((await put(uploadURL, photo)).status).toBe(200);
    await closed;
    expect(await arriving()).toEqual([]);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });

  it('store one photo at a time, however many come at once', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const uploadURL = await ask(owner, photo.length);
    const parts = Array.from({ length: 8 }, (_, n) => photo.subarray(0, 101 + n));
    const puts = [];
    for (const part of parts) {
      puts.push(await beginPut(uploadURL, photo.length, part));
      expect(await arriving()).toEqual([part.length]);
    }
    const all = await Promise.allSettled(parts.map(() => put(uploadURL, photo)));
    const statuses = all.map((each) => (each.status === 'fulfilled' ? each.value.status : 'closed'));
    expect(statuses).toContain(200);
    expect(await arriving()).toEqual([]);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });

  it('that are rejected do not end one that is right', async () => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const uploadURL = await ask(owner, photo.length);
    const first = await beginPut(uploadURL, photo.length, photo.subarray(0, 100));
    expect((await put(uploadURL, photo.subarray(1))).status).toBe(400);
    expect((await put(uploadURL.replace('signature=', 'signature=a'), photo)).status).toBe(403);
    const responded = once(first, 'response');
    first.end(photo.subarray(100));
    expect(await responded).toMatchObject([{ statusCode: 200 }]);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });
});

describe('a PUT to an upload URL', () => {
  const UNAUTHORIZED = [401, { message: 'Unauthorized', code: 'session-lost' }];
  const endings: [string, (owner: TestClient & { userId: string }) => Promise<number>][] = [
    ['signed out', async (owner) => (await owner.post('/api/logout')).status],
    [
      'was disabled',
      async ({ userId }) =>
        (await admin.request('PATCH', `/api/admin/users/${userId}`, { json: { isDisabled: true } })).status,
    ],
  ];

  it.each(endings)('is rejected once the account that requested it %s', async (_name, end) => {
    const owner = await server.signUp();
    const photo = await makePhoto();
    const [before, during] = [await ask(owner, photo.length), await ask(owner, photo.length)];
    const sending = await beginPut(during, photo.length, photo.subarray(0, 100));
    expect(await end(owner)).toBeLessThan(300);
    const rejected = await put(before, photo);
    expect([rejected.status, rejected.body]).toEqual(UNAUTHORIZED);
    const responded = once(sending, 'response');
    sending.end(photo.subarray(100));
    expect(await responded).toMatchObject([{ statusCode: 401 }]);
    const { storage } = server.context;
    for (const url of [before, during])
      expect(await storage.isUploaded(storage.uploadIdOf(url) ?? '')).toBe(false);
  });

  it('is accepted after another session of the account ended', async () => {
    const owner = await server.signUp('two-devices');
    const phone = server.visitor();
    const account = { email: 'two-devices@mems.example', password: 'correct horse' };
    expect((await phone.post('/api/login', account)).status).toBe(200);
    const photo = await makePhoto();
    const uploadURL = await ask(owner, photo.length);
    expect((await phone.post('/api/logout')).status).toBe(204);
    expect((await put(uploadURL, photo)).status).toBe(200);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });
});
