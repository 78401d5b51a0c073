import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { VENDOR_SIGN_IN_EXPIRED } from '#shared/transfers/remote-source';
import {
  completeUpload,
  followRemoteUpload,
  requestRemoteUpload,
  requestUploadUrl,
} from '../../testing/clients/remote-upload.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startFakeInternet } from '../../testing/fakes/fake-internet.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { ALL_VENDORS, createVendors } from '../../testing/vendors/vendors.ts';
import { REMOTE_LIMITS } from './create-remote-sources.ts';

const PICKER_PATH = '/companion/google-picker/get';
const PHOTOS_SCOPE = 'https://www.googleapis.com/auth/photospicker.mediaitems.readonly';

const remoteLimits = { ...REMOTE_LIMITS };
const photo = await makePhoto();
const vendors = createVendors(photo);
const internet = await startFakeInternet(vendors.hosts);
const server = await startTestServer({ env: ALL_VENDORS, overrides: { remoteLimits } });
beforeEach(() => vendors.traffic.reset());
afterAll(() => internet.close());

type Provider = 'dropbox' | 'onedrive' | 'drive';

/** The page that the person ends at, after the vendor's consent. */
async function signIn(person: TestClient, provider: Provider, answer = 'allow') {
  const connect = await person.get(`/companion/${provider}/connect?state=e30%3D`);
  const consent = connect.headers.get('location') ?? '';
  const page = await fetch(consent, {
    method: 'POST',
    body: new URLSearchParams({ answer }),
    redirect: 'manual',
  });
  const back = new URL(page.headers.get('location') ?? '');
  expect(back.origin).toBe(server.origin);
  const crossSite = { 'Sec-Fetch-Site': 'cross-site' };
  const redirect = await person.get(back.pathname + back.search, crossSite);
  const end = redirect.headers.get('location') ?? '';
  return { responses: [connect, redirect], page: await person.get(end, crossSite), end };
}

type Listing = { username: string; items: { name: string; requestPath: string; thumbnail?: string }[] };

async function list(person: TestClient, provider: Provider): Promise<Listing> {
  return (await person.get(`/companion/${provider}/list/`)).body as Listing;
}

describe.each<Provider>(['dropbox', 'onedrive', 'drive'])('photos at %s', (provider) => {
  it('are listed and added after a sign-in, whose token stays on the server', async () => {
    const person = await server.signUp();
    const before = await person.get(`/companion/${provider}/list/`);
    expect([before.status, before.body]).toEqual([
      401,
      expect.objectContaining({ code: VENDOR_SIGN_IN_EXPIRED }),
    ]);

    const { responses, page } = await signIn(person, provider);
    expect(page.text).toContain('data-result="signed-in"');
    const { items } = await list(person, provider);
    const item = items.find(({ name }) => name === `${provider} photo.jpg`);

    const endpoint = await requestUploadUrl(person);
    const path = `/companion/${provider}/get/${item?.requestPath}`;
    const token = await requestRemoteUpload(person, path, {}, endpoint);
    expect(await followRemoteUpload(server.origin, person, token)).toMatchObject({ action: 'success' });
    const memory = await completeUpload(person, endpoint);
    expect((await person.get(memory.imageUrl)).bytes.equals(photo)).toBe(true);

    for (const { headers, text } of [...responses, page]) {
      expect(JSON.stringify([...headers]) + text).not.toMatch(/access-|refresh-|uppyAuthToken/);
    }
    const rows = await sessions();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/access-[0-9a-f]|refresh-[0-9a-f]/);
  });

  it('are not listed after a rejected sign-in', async () => {
    const person = await server.signUp();
    const { page } = await signIn(person, provider, 'deny');
    expect(page.text).toContain('data-result="rejected"');
    expect((await person.get(`/companion/${provider}/list/`)).status).toBe(401);
  });

  it('need a sign-in of the same session', async () => {
    const person = await server.signUp();
    await signIn(person, provider);
    expect((await person.get(`/companion/${provider}/list/`)).status).toBe(200);
    await person.post('/api/logout');
    expect((await person.get(`/companion/${provider}/list/`)).status).toBe(401);
  });

  it('are listed again after the token was refreshed, until the vendor forgets it', async () => {
    const person = await server.signUp();
    await signIn(person, provider);
    vendors.oauth[provider].expireTokens();
    const expired = await person.get(`/companion/${provider}/list/`);
    expect([expired.status, expired.body]).toEqual([
      401,
      expect.objectContaining({ code: VENDOR_SIGN_IN_EXPIRED }),
    ]);
    expect((await person.get('/api/user')).status).toBe(200);
    const refreshed = await person.post(`/companion/${provider}/refresh-token`);
    expect([refreshed.status, refreshed.body]).toEqual([200, { uppyAuthToken: 'session' }]);
    expect((await person.get(`/companion/${provider}/list/`)).status).toBe(200);

    vendors.oauth[provider].revokeAll();
    expect((await person.get(`/companion/${provider}/list/`)).status).toBe(401);
    expect((await person.post(`/companion/${provider}/refresh-token`)).status).toBe(401);
  });

  it('are gone after a sign-out at the vendor', async () => {
    const person = await server.signUp();
    await signIn(person, provider);
    // Not by a GET, which other sites can make a browser send.
    expect((await person.get(`/companion/${provider}/logout`)).status).toBe(404);
    expect((await person.get(`/companion/${provider}/list/`)).status).toBe(200);
    expect((await person.post(`/companion/${provider}/logout`)).body).toMatchObject({ ok: true });
    expect((await person.get(`/companion/${provider}/list/`)).status).toBe(401);
  });
});

it('shows thumbnails of Dropbox', async () => {
  const person = await server.signUp();
  await signIn(person, 'dropbox');
  const item = (await list(person, 'dropbox')).items.find(({ thumbnail }) => thumbnail);
  const thumbnail = await person.get(new URL(item?.thumbnail ?? '').pathname);
  expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(thumbnail.bytes.length).toBeGreaterThan(100);
});

it('rejects the end of a sign-in that another session has begun', async () => {
  const [one, other] = [await server.signUp(), await server.signUp()];
  const connect = await one.get('/companion/dropbox/connect');
  const page = await fetch(connect.headers.get('location') ?? '', {
    method: 'POST',
    body: new URLSearchParams({ answer: 'allow' }),
    redirect: 'manual',
  });
  const back = new URL(page.headers.get('location') ?? '');
  await other.get('/companion/dropbox/connect');
  const end = await other.get(back.pathname + back.search);
  expect(end.headers.get('location')).toBe('/companion/dropbox/send-token?rejected');
  expect((await other.get('/companion/dropbox/list')).status).toBe(401);
});

it('explains a vendor that is down', async () => {
  const person = await server.signUp();
  await signIn(person, 'dropbox');
  vendors.traffic.failNext('files/list_folder', { status: 503, body: 'down' });
  const response = await person.get('/companion/dropbox/list');
  expect([response.status, response.body]).toEqual([
    502,
    { message: 'Dropbox does not answer at the moment. Please try again later.' },
  ]);
});

it.each(['127.0.0.1', 'localhost'])('follows no redirect of a vendor to %s', async (host) => {
  const asked: string[] = [];
  const inside = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(photo);
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  const Location = `http://${host}:${(inside.address() as AddressInfo).port}/secret`;
  const person = await server.signUp();
  await signIn(person, 'dropbox');
  const [item] = (await list(person, 'dropbox')).items.filter(({ name }) => name === 'dropbox photo.jpg');
  for (const part of ['files/list_folder', 'files/download'])
    vendors.traffic.failNext(part, { status: 302, headers: { Location } });
  expect((await person.get('/companion/dropbox/list')).status).toBe(502);
  const path = `/companion/dropbox/get/${item?.requestPath}`;
  const getting = requestRemoteUpload(person, path, {}, await requestUploadUrl(person));
  await expect(getting).rejects.toThrow('502');
  inside.close();
  expect(asked).toEqual([]);
});

it('gives up on a vendor that is silent', async () => {
  const person = await server.signUp();
  await signIn(person, 'dropbox');
  remoteLimits.vendorTimeoutMs = 100;
  onTestFinished(() => void (remoteLimits.vendorTimeoutMs = REMOTE_LIMITS.vendorTimeoutMs));
  vendors.traffic.failNext('files/list_folder', 'silence');
  expect((await person.get('/companion/dropbox/list')).status).toBe(504);
});

it('gives up on a vendor that breaks off', async () => {
  const person = await server.signUp();
  await signIn(person, 'dropbox');
  vendors.traffic.failNext('files/download', 'cut');
  const photo = (await list(person, 'dropbox')).items.find(({ name }) => name === 'dropbox photo.jpg');
  const body = { endpoint: await requestUploadUrl(person) };
  const get = await person.post(`/companion/dropbox/get/${photo?.requestPath}`, body);
  expect([get.status, get.body]).toEqual([
    502,
    { message: 'Dropbox does not answer at the moment. Please try again later.' },
  ]);
});

describe('a photo that was picked at Google Photos', () => {
  it('becomes a memory', async () => {
    const person = await server.signUp();
    const endpoint = await requestUploadUrl(person);
    const token = await requestRemoteUpload(person, PICKER_PATH, await pickAtGooglePhotos(), endpoint);
    expect(await followRemoteUpload(server.origin, person, token)).toMatchObject({ action: 'success' });
    const memory = await completeUpload(person, endpoint);
    expect((await person.get(memory.imageUrl)).bytes.equals(photo)).toBe(true);
  });

  it('needs a sign-in that has not expired', async () => {
    const person = await server.signUp();
    const picked = await pickAtGooglePhotos();
    vendors.oauth.picker.expireTokens();
    const response = await person.post(PICKER_PATH, { ...picked, endpoint: await requestUploadUrl(person) });
    expect([response.status, response.body]).toEqual([
      401,
      expect.objectContaining({ code: VENDOR_SIGN_IN_EXPIRED }),
    ]);
  });
});

async function pickAtGooglePhotos() {
  const accessToken = vendors.oauth.picker.issue(PHOTOS_SCOPE);
  const headers = { Authorization: `Bearer ${accessToken}` };
  const session = await fetch('https://photospicker.googleapis.com/v1/sessions', { method: 'POST', headers });
  const { pickerUri } = (await session.json()) as { pickerUri: string };
  const id = vendors.accounts.photos.files[0]?.id ?? '';
  await fetch(pickerUri, { method: 'POST', body: new URLSearchParams({ id }) });
  return { platform: 'photos', accessToken, url: `https://lh3.googleusercontent.com/ppa/${id}=d` };
}

it.each([
  'https://photos.example/photo.jpg',
  'http://lh3.googleusercontent.com/photo',
  'https://lh3.googleusercontent.com.photos.example/photo',
  'https://127.0.0.1/photo',
])('sends a token of Google Photos not to %s', async (url) => {
  const person = await server.signUp();
  const endpoint = await requestUploadUrl(person);
  const picked = { platform: 'photos', accessToken: 'secret', url, endpoint };
  expect((await person.post('/companion/google-picker/get', picked)).status).toBe(422);
});

async function sessions(): Promise<unknown[]> {
  const client = new pg.Client(server.databaseUrl);
  await client.connect();
  const { rows } = await client
    .query<{ sess: unknown }>('select sess from sessions')
    .finally(() => client.end());
  return rows;
}
