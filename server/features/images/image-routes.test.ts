import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addMemory, completeUpload, putPhoto } from '../../testing/data/factories.ts';
import { copyOfPhoto, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';

it('renders all missing tiles of a gallery, without rejecting an upload of the account', async () => {
  const server = await startTestServer();
  const owner = await server.signUp();
  const photo = await makePhoto();
  const urls: string[] = [];
  for (let n = 0; n < 40; n++) urls.push((await addMemory(owner, { photo: copyOfPhoto(photo) })).imageUrl);
  // Their jobs, which render all sizes, do not run.
  await rm(join(server.dataDir, 'objects/variants'), { recursive: true });
  const uploadURL = await putPhoto(owner, await makePhoto());

  const tiles = urls.map((url) => owner.get(`${url}?w=800`));
  const upload = completeUpload(owner, { uploadURL });
  expect((await upload).status).toBe(201);
  const statuses = (await Promise.all(tiles)).map(({ status }) => status);
  expect(statuses).toEqual(Array(40).fill(200));
});

it('does not try a photo again that could not be rendered, neither for its owner nor for visitors', async () => {
  const server = await startTestServer();
  const owner = await server.signUp();
  const { id, imageUrl } = await addMemory(owner);
  const { url } = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
  const shared = `${new URL(url).pathname}/photo.jpg`;
  const statuses = async () => [
    (await server.visitor().get(shared)).status,
    (await owner.get(`${imageUrl}?w=800`)).status,
  ];
  const original = join(server.dataDir, 'objects/originals', imageUrl.split('/').at(-1) ?? '');
  const bytes = await readFile(original);
  await truncate(original, Math.floor(bytes.length / 2));
  expect(await statuses()).toEqual([415, 415]);
  await writeFile(original, bytes);
  // Rejected without a decode, which would succeed now.
  expect(await statuses()).toEqual([415, 415]);
});

it.each([
  ['https', 'album.example', 'private, max-age=300'],
  ['http', 'localhost:5000', 'private, max-age=300'],
  ['http', '127.0.0.1:5000', 'private, max-age=300'],
  // Browsers ignore Clear-Site-Data there: a cached tile would outlive its session.
  ['http', 'album.home', 'private, no-cache'],
  ['http', '192.168.1.20:5000', 'private, no-cache'],
])('a tile over %s from %s is cached as %s', async (protocol, host, caching) => {
  const server = await startTestServer({ env: { TRUST_PROXY: '1', ALLOWED_HOSTS: 'album.example' } });
  const owner = await server.signUp();
  const { imageUrl } = await addMemory(owner);
  const headers = { 'X-Forwarded-Proto': protocol, 'X-Forwarded-Host': host };
  const tile = await owner.get(`${imageUrl}?w=400`, headers);
  expect([tile.status, tile.headers.get('Cache-Control')]).toEqual([200, caching]);
});
