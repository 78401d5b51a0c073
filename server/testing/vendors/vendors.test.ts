import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeInternet, type FakeInternet } from '../fakes/fake-internet.ts';
import { makePhoto } from '../photos/photos.ts';
import { ALL_VENDORS, createVendors, type Vendors } from './vendors.ts';

let vendors: Vendors;
let internet: FakeInternet;

beforeAll(async () => {
  vendors = createVendors(await makePhoto());
  internet = await startFakeInternet(vendors.hosts);
});
afterAll(() => internet.close());

async function call(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const body = await response.text();
  return { status: response.status, body, location: response.headers.get('location') };
}

const post = (url: string, body?: object | string, headers: Record<string, string> = {}) =>
  call(url, {
    method: 'POST',
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { ...(typeof body === 'object' && { 'Content-Type': 'application/json' }), ...headers },
  });

const postForm = (url: string, form: Record<string, string>) =>
  post(url, new URLSearchParams(form).toString(), { 'Content-Type': 'application/x-www-form-urlencoded' });

const redirectUri = 'http://127.0.0.1:3000/companion/dropbox/redirect';
const authorization = {
  client_id: ALL_VENDORS.DROPBOX_KEY,
  response_type: 'code',
  redirect_uri: redirectUri,
  token_access_type: 'offline',
  state: 'abc',
};
const exchange = {
  grant_type: 'authorization_code',
  client_id: ALL_VENDORS.DROPBOX_KEY,
  client_secret: ALL_VENDORS.DROPBOX_SECRET,
  redirect_uri: redirectUri,
};
const CONSENT = 'https://www.dropbox.com/oauth2/authorize?';
const TOKEN = 'https://api.dropboxapi.com/oauth2/token';
const LIST = 'https://api.dropboxapi.com/2/files/list_folder';

async function getCode(answer = 'allow'): Promise<URLSearchParams> {
  const { location } = await postForm(CONSENT + new URLSearchParams(authorization).toString(), { answer });
  return new URL(location!).searchParams;
}

async function signIn(): Promise<{ access_token: string; refresh_token: string }> {
  const { body } = await postForm(TOKEN, { ...exchange, code: (await getCode()).get('code')! });
  return JSON.parse(body) as { access_token: string; refresh_token: string };
}

test.each(Object.keys(authorization))('a sign-in needs %s', async (name) => {
  const { [name]: _, ...others } = authorization as Record<string, string>;
  expect(await call(CONSENT + new URLSearchParams(others).toString())).toMatchObject({ status: 400 });
});

test('a rejected sign-in has an error instead of a code', async () => {
  const params = await getCode('deny');
  expect([params.get('error'), params.get('state'), params.has('code')]).toEqual([
    'access_denied',
    'abc',
    false,
  ]);
});

test('a code is exchanged once, with the secret and the same address', async () => {
  const code = (await getCode()).get('code')!;
  expect(await postForm(TOKEN, { ...exchange, code, client_secret: 'wrong' })).toMatchObject({ status: 401 });
  expect(await postForm(TOKEN, { ...exchange, code })).toMatchObject({ status: 200 });
  expect(await postForm(TOKEN, { ...exchange, code })).toMatchObject({ status: 400 });
  const other = (await getCode()).get('code')!;
  const elsewhere = { ...exchange, code: other, redirect_uri: `${redirectUri}s` };
  expect(await postForm(TOKEN, elsewhere)).toMatchObject({ status: 400 });
});

test('tokens expire and are refreshed until they are revoked', async () => {
  const { access_token, refresh_token } = await signIn();
  const headers = { Authorization: `Bearer ${access_token}` };
  expect(await post(LIST, { path: '' }, headers)).toMatchObject({ status: 200 });
  vendors.oauth.dropbox.expireTokens();
  const expired = await post(LIST, { path: '' }, headers);
  expect([expired.status, expired.body]).toEqual([401, expect.stringContaining('expired_access_token')]);
  const refresh = { ...exchange, grant_type: 'refresh_token', refresh_token };
  const refreshed = JSON.parse((await postForm(TOKEN, refresh)).body) as { access_token: string };
  const next = { Authorization: `Bearer ${refreshed.access_token}` };
  expect(await post(LIST, { path: '' }, next)).toMatchObject({ status: 200 });
  vendors.oauth.dropbox.revokeAll();
  expect(await post(LIST, { path: '' }, next)).toMatchObject({ status: 401 });
  expect(await postForm(TOKEN, refresh)).toMatchObject({ status: 400 });
});

test('calls that are not documented are rejected', async () => {
  const { access_token } = await signIn();
  const headers = { Authorization: `Bearer ${access_token}` };
  const download = 'https://content.dropboxapi.com/2/files/download';
  expect(await post('https://api.dropboxapi.com/2/files/other', {}, headers)).toMatchObject({ status: 404 });
  expect(await post(LIST, { path: '/' }, headers)).toMatchObject({ status: 400 });
  expect(await post(LIST, { path: '' })).toMatchObject({ status: 401 });
  expect(await post(download, undefined, headers)).toMatchObject({ status: 400 });
  const drive = 'https://www.googleapis.com/drive/v3/files?pageSize=1000';
  const google = { Authorization: `Bearer ${vendors.oauth.drive.issue('profile')}` };
  expect(await call(drive, { headers: google })).toMatchObject({ status: 403 });
});

test("Google's pickers give access to picked files only", async () => {
  const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
  const drive = { Authorization: `Bearer ${vendors.oauth.picker.issue(scope('drive.file'))}` };
  const [file] = vendors.accounts.drive.files;
  const url = `https://www.googleapis.com/drive/v3/files/${file!.id}?alt=media`;
  expect(await call(url, { headers: drive })).toMatchObject({ status: 404 });
  const photos = {
    Authorization: `Bearer ${vendors.oauth.picker.issue(scope('photospicker.mediaitems.readonly'))}`,
  };
  const created = await post('https://photospicker.googleapis.com/v1/sessions', undefined, photos);
  const { id, pickerUri } = JSON.parse(created.body) as { id: string; pickerUri: string };
  const items = `https://photospicker.googleapis.com/v1/mediaItems?sessionId=${id}`;
  expect(await call(items, { headers: photos })).toMatchObject({ status: 400 });
  const [photo] = vendors.accounts.photos.files;
  expect(await postForm(pickerUri, { id: photo!.id })).toMatchObject({ status: 200 });
  expect(await call(items, { headers: photos })).toMatchObject({ status: 200 });
  const download = `https://lh3.googleusercontent.com/ppa/${photo!.id}=d`;
  expect(await call(download)).toMatchObject({ status: 403 });
  expect(await call(download, { headers: photos })).toMatchObject({ status: 200 });
});

test('a call can be held or fail', async () => {
  vendors.traffic.failNext('dropboxapi.com/2/files/list_folder', { status: 429, body: 'Slow down' });
  expect(await post(LIST, { path: '' })).toMatchObject({ status: 429 });
  const release = vendors.traffic.hold('dropboxapi.com/2/files/list_folder');
  const held = post(LIST, { path: '' });
  release();
  expect(await held).toMatchObject({ status: 401 });
  expect(vendors.traffic.calls.slice(-2)).toEqual([
    'POST api.dropboxapi.com/2/files/list_folder 429',
    'POST api.dropboxapi.com/2/files/list_folder 401',
  ]);
});
