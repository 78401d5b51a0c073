import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ERROR_CODES, TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { REMOTE_ERRORS } from '#shared/transfers/remote-source';
import { UNSUPPORTED_IMAGE_MESSAGES } from '../../platform/errors.ts';
import type { GetLimits } from '../../platform/public-http/get-public-url.ts';
import {
  completeUpload,
  followRemoteUpload,
  openSocket,
  rejectionOf,
  requestRemoteUpload,
  requestUploadUrl,
} from '../../testing/clients/remote-upload.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { s3Settings } from '../../testing/environment/s3-settings.ts';
import { startFakeInternet } from '../../testing/fakes/fake-internet.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';
import { REMOTE_LIMITS } from './create-remote-sources.ts';
import type { TransferTimeouts } from './remote-transfers.ts';

const HOST = 'http://photos.example';
const PHOTO = `${HOST}/photo.jpg`;

let person: TestClient & { userId: string };
const requests: string[] = [];
const open = new Set<ServerResponse>();

const send =
  (type: string, body: string | Buffer): RequestListener =>
  (_, response) =>
    void response.writeHead(200, { 'Content-Type': type }).end(body);
const redirect =
  (location: string): RequestListener =>
  (_, response) =>
    void response.writeHead(302, { Location: location }).end();
/** Writes a chunk again and again until the client leaves. */
const drip =
  (chunk: Buffer, everyMs: number): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'image/jpeg' });
    const timer = setInterval(() => response.write(chunk), everyMs);
    response.on('close', () => clearInterval(timer));
  };

const pages: Record<string, RequestListener> = {
  '/photo.jpg': (request, response) => send('image/jpeg', photo)(request, response),
  '/named': (_, response) =>
    void response
      .writeHead(200, {
        'Content-Disposition': `attachment; filename*=UTF-8''B%C3%A4r%2F..%2Fim%20Schnee.exe`,
      })
      .end(photo),
  '/page': send('text/html; charset=utf-8', '<h1>Album</h1>'),
  '/page.jpg': send('image/jpeg', '<h1>Album</h1>'),
  '/film.mp4': send('video/mp4', 'film'),
  '/forbidden': (_, response) => void response.writeHead(403).end(),
  '/broken': (_, response) => void response.writeHead(500).end(),
  '/switching': ({ socket }) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
  '/loop': redirect('/loop'),
  '/moved': redirect('/photo.jpg'),
  '/inwards': redirect('http://127.0.0.1/photo.jpg'),
  '/inwards-name': redirect('http://inside.example/photo.jpg'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-port': redirect('http://photos.example:22/photo.jpg'),
  '/announced': (_, response) =>
    void response.writeHead(200, { 'Content-Length': '3000000000' }).flushHeaders(),
  '/endless': drip(Buffer.alloc(1024 * 1024), 10),
  '/dripping': drip(Buffer.alloc(1), 20),
  '/silent': () => undefined,
};

const photo = await makePhoto();
const internet = await startFakeInternet({
  'photos.example': (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    open.add(response);
    response.on('close', () => open.delete(response));
    const page = pages[request.url ?? ''];
    if (page) page(request, response);
    else response.writeHead(404).end();
  },
  'inside.example': send('image/jpeg', 'secret'),
  'rebinding.example': (request, response) => send('image/jpeg', photo)(request, response),
});
internet.setAddresses('inside.example', ['10.0.0.7']);
const server = await startTestServer({ env: { REMOTE_LINKS: 'true', UPLOADS_PER_MINUTE: '1000' } });
afterAll(() => internet.close());
beforeEach(async () => {
  person = await server.signUp();
  requests.length = 0;
});

const describeLink = (url: string) => person.post('/companion/url/meta', { url });
const getLink = async (url: string) => {
  const endpoint = await requestUploadUrl(person);
  return requestRemoteUpload(person, '/companion/url/get', { url }, endpoint);
};
const openAt = (path: string) => [...open].filter(({ req }) => req.url === path);

/** A server with its own limits. All others are longer than a test takes. */
function startWithLimits({
  download,
  transfer,
}: {
  download?: Partial<GetLimits>;
  transfer?: Partial<TransferTimeouts>;
}) {
  const long = 600_000;
  return startTestServer({
    env: { REMOTE_LINKS: 'true' },
    overrides: {
      remoteLimits: {
        ...REMOTE_LIMITS,
        download: {
          ...REMOTE_LIMITS.download,
          headersMs: long,
          bodyMs: long,
          window: { ms: long, minBytes: 0 },
          ...download,
        },
        transfer: { connectMs: long, idleMs: long, totalMs: long, ...transfer },
      },
    },
  });
}
const temporaryFiles = ({ dataDir } = server) => readdir(join(dataDir, 'remote')).catch(() => []);

describe('a photo at a link', () => {
  it('is described with its type, size and a preview', async () => {
    const { body } = await describeLink(PHOTO);
    expect(body).toMatchObject({ name: 'photo.jpg', type: 'image/jpeg', size: photo.length });
    expect((body as { preview: string }).preview).toMatch(/^data:image\/webp;base64,\w{20}/);
    expect(requests).toEqual(['GET /photo.jpg']);
    const { body: named } = await describeLink(`${HOST}/named`);
    expect(named).toMatchObject({ name: 'im Schnee.jpg', type: 'image/jpeg' });
    expect((await describeLink(`${HOST}/moved`)).body).toMatchObject({ name: 'photo.jpg' });
  });

  it.each([['disk'], ...(inject('s3') ? [['S3']] : [])])(
    'becomes a memory, stored on %s',
    async (storage) => {
      const s3 = inject('s3');
      const app = storage === 'S3' && s3 ? await startTestServer({ env: await s3Settings(s3) }) : server;
      const owner = await app.signUp();
      const endpoint = await requestUploadUrl(owner);
      const token = await requestRemoteUpload(owner, '/companion/url/get', { url: PHOTO }, endpoint);
      expect(await followRemoteUpload(app.origin, owner, token)).toEqual({
        action: 'success',
        payload: { complete: true, response: { status: 200, responseText: '' } },
      });
      const { imageUrl } = await completeUpload(owner, endpoint);
      expect((await owner.get(imageUrl)).bytes.equals(photo)).toBe(true);
      expect(requests).toEqual(['GET /photo.jpg']);
      expect(await temporaryFiles()).toEqual([]);
    },
  );
});

describe('a link that leads to no photo is rejected at once:', () => {
  const rejected: [string, string, number, string][] = [
    ['a page', `${HOST}/page`, 415, REMOTE_ERRORS.page],
    ['a film', `${HOST}/film.mp4`, 415, REMOTE_ERRORS.video],
    ['a missing file', `${HOST}/missing`, 424, REMOTE_ERRORS.notFound],
    ['a file for members', `${HOST}/forbidden`, 424, REMOTE_ERRORS.rejected],
    ['a broken website', `${HOST}/broken`, 424, REMOTE_ERRORS.unreachable],
    ['another protocol', `${HOST}/switching`, 424, REMOTE_ERRORS.unreachable],
    ['an unknown host', 'http://nowhere.example/', 424, REMOTE_ERRORS.unreachable],
    ['a redirect loop', `${HOST}/loop`, 424, REMOTE_ERRORS.redirects],
    ['3 GB', `${HOST}/announced`, 413, PHOTO_TOO_LARGE],
    ['a file', 'file:///etc/passwd', 422, REMOTE_ERRORS.notALink],
    ['a redirect to a file', `${HOST}/to-file`, 422, REMOTE_ERRORS.notALink],
    ['data', 'data:image/png;base64,AAAA', 422, REMOTE_ERRORS.notALink],
    ['FTP', 'ftp://photos.example/photo.jpg', 422, REMOTE_ERRORS.notALink],
    ['a password', 'http://me:secret@photos.example/photo.jpg', 422, REMOTE_ERRORS.notALink],
    ['no link', 'photo', 422, REMOTE_ERRORS.notALink],
    ['a port', 'http://photos.example:8080/photo.jpg', 422, REMOTE_ERRORS.forbiddenPort],
    ['a redirect to a port', `${HOST}/to-port`, 422, REMOTE_ERRORS.forbiddenPort],
    ['a private address after a redirect', `${HOST}/inwards`, 422, REMOTE_ERRORS.forbiddenAddress],
    ['a private name after a redirect', `${HOST}/inwards-name`, 422, REMOTE_ERRORS.forbiddenAddress],
    ...[
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '0', '0.0.0.0'],
      ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[fe80::1]'],
      ...['[fd00:ec2::254]', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
      ...['①②⑦.0.0.1', 'localhost', 'localhost.', 'inside.example'],
    ].map((host): [string, string, number, string] => [
      host,
      `http://${host}/photo.jpg`,
      422,
      REMOTE_ERRORS.forbiddenAddress,
    ]),
  ];

  it.each(rejected)('%s', async (_name, url, status, message) => {
    const described = await describeLink(url);
    const body = { message, code: ERROR_CODES[status] };
    expect([described.status, described.body]).toEqual([status, body]);
    const asked = requests.length;
    await expect(getLink(url)).rejects.toThrow(`${status} ${JSON.stringify(body)}`);
    expect(requests.length).toBe(2 * asked);
    expect(await temporaryFiles()).toEqual([]);
  });

  it('a page under the name of a photo', async () => {
    const described = await describeLink(`${HOST}/page.jpg`);
    expect([described.status, described.body]).toEqual([
      415,
      { message: UNSUPPORTED_IMAGE_MESSAGES['not-a-photo'], code: 'unsupported-type' },
    ]);
  });

  it('a name whose address changes after the first request', async () => {
    const address = internet.addressOf('rebinding.example');
    internet.setAddresses('rebinding.example', [address], ['127.0.0.1']);
    expect((await describeLink('http://rebinding.example/')).status).toBe(200);
    await expect(getLink('http://rebinding.example/')).rejects.toThrow(REMOTE_ERRORS.forbiddenAddress);
  });
});

describe('a link that never ends', () => {
  it('to a photo of any size is cut off at 10 MB', async () => {
    const described = await describeLink(`${HOST}/endless`);
    expect([described.status, described.body]).toEqual([
      413,
      { message: PHOTO_TOO_LARGE, code: 'too-large' },
    ]);
    const end = await followRemoteUpload(server.origin, person, await getLink(`${HOST}/endless`));
    expect(end).toEqual({ action: 'error', payload: { error: { message: PHOTO_TOO_LARGE, status: 413 } } });
  });

  it('to too few bytes in a while is given up', async () => {
    const app = await startWithLimits({ download: { window: { ms: 100, minBytes: 1000 } } });
    const owner = await app.signUp();
    const slow = { url: `${HOST}/dripping` };
    const described = await owner.post('/companion/url/meta', slow);
    expect([described.status, described.body]).toEqual([
      424,
      { message: REMOTE_ERRORS.tooSlow, code: 'source-failed' },
    ]);
    const token = await requestRemoteUpload(owner, '/companion/url/get', slow, await requestUploadUrl(owner));
    expect(await followRemoteUpload(app.origin, owner, token)).toEqual({
      action: 'error',
      payload: { error: { message: REMOTE_ERRORS.tooSlow, status: 424 } },
    });
  });

  it('to a silent website is given up', async () => {
    const owner = await (await startWithLimits({ download: { headersMs: 100 } })).signUp();
    const { status, body } = await owner.post('/companion/url/meta', { url: `${HOST}/silent` });
    expect([status, body]).toEqual([424, { message: REMOTE_ERRORS.tooSlow, code: 'source-failed' }]);
  });

  it('to a silent website holds up no other user', async () => {
    const app = await startWithLimits({});
    const [owner, other] = [await app.signUp(), await app.signUp()];
    const silent = [1, 2, 3].map(() => owner.post('/companion/url/meta', { url: `${HOST}/silent` }));
    await expect.poll(() => openAt('/silent')).toHaveLength(3);
    const fourth = await owner.post('/companion/url/meta', { url: PHOTO });
    expect([fourth.status, fourth.headers.get('Retry-After')]).toEqual([429, '5']);
    expect((await other.post('/companion/url/meta', { url: PHOTO })).status).toBe(200);
    expect(openAt('/silent')).toHaveLength(3);
    for (const response of openAt('/silent')) response.destroy();
    for (const response of await Promise.all(silent))
      expect(response.body).toEqual({ message: REMOTE_ERRORS.unreachable, code: 'source-failed' });
    expect((await owner.post('/companion/url/meta', { url: PHOTO })).status).toBe(200);
  });

  it('is closed when the browser never opens its websocket', async () => {
    const app = await startWithLimits({ transfer: { connectMs: 100 } });
    const owner = await app.signUp();
    const left = new Promise((resolve) => {
      pages['/unread'] = (request, response) => {
        response.on('close', resolve);
        pages['/dripping']!(request, response);
      };
    });
    const body = { url: `${HOST}/unread` };
    await requestRemoteUpload(owner, '/companion/url/get', body, await requestUploadUrl(owner));
    await left;
    expect(await temporaryFiles(app)).toEqual([]);
  });
});

describe('a transfer', () => {
  it('can only be followed by its user, from our own pages', async () => {
    const token = await getLink(PHOTO);
    const other = await server.signUp();
    const rejections = [
      openSocket(server.origin, other, token),
      openSocket(server.origin, server.visitor(), token),
      openSocket(server.origin, person, token, { Origin: 'https://elsewhere.example' }),
      openSocket(server.origin, person, crypto.randomUUID()),
      openSocket(server.origin, person, 'x'),
    ];
    expect(await Promise.all(rejections.map(rejectionOf))).toEqual([404, 401, 403, 404, 403]);
    expect(await followRemoteUpload(server.origin, person, token)).toMatchObject({ action: 'success' });
  });

  it('sends its end again to a websocket that was lost', async () => {
    const token = await getLink(PHOTO);
    expect(await followRemoteUpload(server.origin, person, token)).toMatchObject({ action: 'success' });
    expect(await followRemoteUpload(server.origin, person, token)).toMatchObject({ action: 'success' });
    expect(requests).toEqual(['GET /photo.jpg']);
  });

  it('ends when the browser cancels it', async () => {
    pages['/canceled'] = pages['/dripping']!;
    const token = await getLink(`${HOST}/canceled`);
    const socket = openSocket(server.origin, person, token);
    await once(socket, 'message');
    const [response] = openAt('/canceled');
    socket.send(JSON.stringify({ action: 'cancel' }));
    await once(response!, 'close');
    socket.close();
  });

  it('closes a websocket that sends too much', async () => {
    pages['/flooded'] = pages['/dripping']!;
    const socket = openSocket(server.origin, person, await getLink(`${HOST}/flooded`));
    await once(socket, 'open');
    socket.on('error', () => undefined);
    socket.send('x'.repeat(100_000));
    await once(socket, 'close');
  });

  it('stores at the user’s own unfinished upload only', async () => {
    const other = await server.signUp();
    const get = (endpoint: string) => person.post('/companion/url/get', { url: PHOTO, endpoint });
    expect((await get(await requestUploadUrl(other))).status).toBe(404);
    expect((await get(`${server.origin}/uploads/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await get('http://photos.example/elsewhere')).status).toBe(404);
    expect((await get('')).status).toBe(404);
    expect((await person.post('/companion/url/get', { url: PHOTO })).status).toBe(422);
    const endpoint = await requestUploadUrl(person);
    const token = await requestRemoteUpload(person, '/companion/url/get', { url: PHOTO }, endpoint);
    await followRemoteUpload(server.origin, person, token);
    await completeUpload(person, endpoint);
    expect((await get(endpoint)).status).toBe(409);
    expect(requests).toEqual(['GET /photo.jpg']);
  });

  it('sends nothing to the address that the browser asks for', async () => {
    const uploadId = new URL(await requestUploadUrl(person)).pathname;
    const endpoint = `${HOST}${uploadId}`;
    const token = await requestRemoteUpload(
      person,
      '/companion/url/get',
      { url: PHOTO, uploadUrl: `${HOST}/elsewhere` },
      endpoint,
    );
    expect(await followRemoteUpload(server.origin, person, token)).toMatchObject({ action: 'success' });
    await completeUpload(person, endpoint);
    expect(requests).toEqual(['GET /photo.jpg']);
  });
});

const notStored = { message: REMOTE_ERRORS.notStored, status: 503 };
it.each<[string, (response: ServerResponse) => void, object]>([
  [
    'answers 503',
    (response) => void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'),
    notStored,
  ],
  ['breaks off', (response) => void response.destroy(), notStored],
  [
    'is behind a proxy that rejects the size',
    (response) => void response.writeHead(413).end('<h1>413 Request Entity Too Large</h1>'),
    { message: TOO_LARGE_FOR_SERVER, status: 413 },
  ],
])('asks a storage that %s once, and says so', async (_name, respond, error) => {
  const puts: string[] = [];
  const s3 = createServer((request, response) => {
    puts.push(request.method ?? '');
    respond(response);
  }).listen(0, '127.0.0.1');
  await once(s3, 'listening');
  const key = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret', S3_BUCKET: 'photos' };
  const endpoint = `http://127.0.0.1:${(s3.address() as AddressInfo).port}`;
  const env = {
    REMOTE_LINKS: 'true',
    OBJECT_STORAGE: 's3',
    S3_ENDPOINT: endpoint,
    S3_PATH_STYLE: 'true',
    ...key,
  };
  const app = await startTestServer({ env });
  const owner = await app.signUp();
  const uploadUrl = await requestUploadUrl(owner);
  const token = await requestRemoteUpload(owner, '/companion/url/get', { url: PHOTO }, uploadUrl);
  expect(await followRemoteUpload(app.origin, owner, token)).toEqual({
    action: 'error',
    payload: { error },
  });
  expect(puts).toEqual(['PUT']);
  s3.close();
});

it('ends its downloads and websockets with the server', async () => {
  const closing = await startTestServer({ env: { REMOTE_LINKS: 'true' } });
  const owner = await closing.signUp();
  pages['/until-the-end'] = pages['/dripping']!;
  const body = { url: `${HOST}/until-the-end` };
  const token = await requestRemoteUpload(owner, '/companion/url/get', body, await requestUploadUrl(owner));
  const socket = openSocket(closing.origin, owner, token);
  await once(socket, 'message');
  const [response] = openAt('/until-the-end');
  await Promise.all([once(socket, 'close'), once(response!, 'close'), closing.close()]);
});

it('closes although a rejected websocket stays half-open', async () => {
  const closing = await startTestServer({ env: { REMOTE_LINKS: 'true' } });
  const port = Number(new URL(closing.origin).port);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
  socket.write(
    'GET /companion/api/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  );
  await once(socket, 'end');
  await closing.close();
  socket.destroy();
});

it('receives uploads on the address that it listens on', async () => {
  const app = await startTestServer({ env: { HOST: '::', REMOTE_LINKS: 'true' } });
  const owner = await app.signUp();
  const endpoint = await requestUploadUrl(owner);
  const token = await requestRemoteUpload(owner, '/companion/url/get', { url: PHOTO }, endpoint);
  expect(await followRemoteUpload(app.origin, owner, token)).toMatchObject({ action: 'success' });
});

describe('the routes of companion', () => {
  it('need a session and a page of ours', async () => {
    for (const path of ['/companion/url/meta', '/companion/url/get', '/companion/s3/params'])
      expect((await server.visitor().post(path, { url: PHOTO })).status).toBe(401);
    const crossSite = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await person.post('/companion/url/meta', { url: PHOTO }, crossSite)).status).toBe(403);
  });

  it('that we do not use are not found', async () => {
    for (const path of [
      '/companion',
      '/companion/dropbox/list',
      '/companion/metrics',
      '/companion/box/connect',
    ])
      expect((await person.get(path)).status).toBe(404);
    expect((await person.post('/companion/google-picker/get')).status).toBe(404);
  });

  it('that would store in the bucket directly are rejected', async () => {
    const message = 'This Companion server does not support uploading to S3';
    for (const path of ['params', 'sts', 'multipart/id']) {
      const response = await person.get(`/companion/s3/${path}`);
      expect([response.status, response.body]).toEqual([400, { error: message, message, code: 'malformed' }]);
    }
  });
});

it('has no routes and no websockets without a source', async () => {
  const off = await startTestServer({ env: { REMOTE_LINKS: 'false' } });
  const owner = await off.signUp();
  expect((await owner.get('/api/config')).body).toMatchObject({ remoteSources: [] });
  expect((await owner.post('/companion/url/meta', { url: PHOTO })).status).toBe(404);
  const socket = openSocket(off.origin, owner, crypto.randomUUID());
  socket.on('error', () => undefined);
  // Answered as a usual GET, since nothing listens for upgrades.
  expect(await rejectionOf(socket)).toBe(404);
});
