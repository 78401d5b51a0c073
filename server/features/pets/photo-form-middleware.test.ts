import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ApiErrorBody } from '#shared/api/api-error';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { petForm } from '../../testing/data/factories.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';

let now = new Date('2026-06-01T12:00:00Z');

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
const owner = await server.signUp();

const BOUNDARY = 'x-boundary';
const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
const REX = ['name="name"\r\n\r\nRex', 'name="species"\r\n\r\ndog'];
const whole = (parts: string[]) =>
  parts.map((part) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${part}\r\n`).join('') +
  `--${BOUNDARY}--\r\n`;
const send = (body: string | FormData, headers: Record<string, string> = MULTIPART) =>
  owner.request('POST', '/api/pets', { body, headers });
const listPets = async () => (await owner.get('/api/pets')).body as unknown[];

describe('a form', () => {
  it.each([
    ['cut off in the middle', whole(REX).slice(0, -20), 400],
    ['without its boundary', whole(REX).replaceAll(BOUNDARY, 'other'), 400],
    ['with a broken part', `--${BOUNDARY}\r\nBroken header\r\n\r\nRex\r\n--${BOUNDARY}--\r\n`, 400],
    ['that is empty', '', 400],
    ['with nesting names', whole([...REX, 'name="name[first]"\r\n\r\nRex']), 400],
    ['with an array that is huge', whole([...REX, 'name="a[99999999]"\r\n\r\nRex']), 400],
    ['with a name of a kilobyte', whole([...REX, `name="${'n'.repeat(1000)}"\r\n\r\nx`]), 400],
    ['with a nameless part', whole([...REX, 'name=""\r\n\r\nx']), 400],
    [
      'with too many fields',
      whole([...REX, ...Array.from({ length: 40 }, (_, n) => `name="f${n}"\r\n\r\n`)]),
      400,
    ],
    ['with the same field twice', whole([...REX, REX[0] ?? '']), 422],
    ['with a NUL in a field', whole(['name="name"\r\n\r\nR\0x', REX[1] ?? '']), 422],
    ['with a NUL in a field’s name', whole([...REX, 'name="a\0b"\r\n\r\nx']), 400],
    ['with a file of another name', whole([...REX, 'name="avatar"; filename="a.jpg"\r\n\r\nx']), 422],
    ['with a file for a text', whole([REX[1] ?? '', 'name="name"; filename="a.jpg"\r\n\r\nRex']), 422],
    [
      'with two pictures',
      whole([...REX, ...Array<string>(2).fill('name="profileImage"; filename="a.jpg"\r\n\r\nx')]),
      422,
    ],
    ['with a text of 300 KB', whole([...REX, `name="description"\r\n\r\n${'x'.repeat(300_000)}`]), 413],
    [
      'with 300 KB of texts',
      whole([...REX, ...Array.from({ length: 10 }, (_, n) => `name="f${n}"\r\n\r\n${'x'.repeat(30_000)}`)]),
      413,
    ],
  ])('is rejected with a message: %s', async (_name, body, status) => {
    const response = await send(body);
    expect([response.status, response.body]).toMatchObject([status, { message: /^[A-Z][^{}<>]+\.$/ }]);
    expect((response.body as ApiErrorBody).message).not.toMatch(/multer|boundary|undefined/i);
    expect(await listPets()).toEqual([]);
  });

  it('must be multipart', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      expect((await send('name=Rex&species=dog', { 'Content-Type': type })).status).toBe(400);
    }
  });

  it('is rejected before reading if Content-Length is too large', async () => {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    socket.write(
      `POST /api/pets HTTP/1.1\r\nHost: mems\r\nSec-Fetch-Site: same-origin\r\nCookie: ${owner.cookie()}\r\n` +
        `Content-Type: ${MULTIPART['Content-Type']}\r\nContent-Length: 99999999999\r\n\r\n--${BOUNDARY}`,
    );
    const response = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(data.toString())),
    );
    expect(response).toMatch(/^HTTP\/1.1 413 [\s\S]*This photo is larger than 10 MB/);
    socket.destroy();
  });

  it('may have hostile field and file names', async () => {
    const other = await server.signUp();
    const photo = (await makePhoto({ format: 'png' })).toString('latin1');
    for (const name of ['../../../etc/passwd', '\\\\server\\share', 'a"; x="b', '<script>', 'CON', '.jpg']) {
      const parts = [
        ...REX,
        'name="__proto__"\r\n\r\nx',
        'name="constructor"\r\n\r\nx',
        'name="hasOwnProperty"\r\n\r\nx',
        `name="profileImage"; filename="${name.replaceAll('"', '%22')}"\r\n\r\n${photo}`,
      ];
      const response = await other.request('POST', '/api/pets', {
        body: Buffer.from(whole(parts), 'latin1'),
        headers: MULTIPART,
      });
      expect([name, response.status]).toEqual([name, 201]);
    }
  });

  it('requires a session before it is read', async () => {
    const body = petForm({ name: 'Rex', species: 'dog' }, Buffer.alloc(1_000_000));
    expect((await server.visitor().request('POST', '/api/pets', { body })).status).toBe(401);
  });

  it('is 429 while the user has three photos in progress', async () => {
    const senders = await takeSlots(owner);
    const rejected = await sendLarge(owner);
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '5']);
    expect((await send(petForm({ name: '', species: 'dog' }), {})).status).toBe(422);
    for (const stop of senders) stop();
    while ((await sendLarge(owner)).status === 429);
    expect(await listPets()).toEqual([]);
  });

  it('has a slot although several accounts keep theirs', async () => {
    const senders = [];
    for (const _ of [1, 2, 3, 4, 5, 6]) senders.push(...(await takeSlots(await server.signUp())));
    expect((await sendLarge(await server.signUp())).status).toBe(422);
    for (const stop of senders) stop();
  });

  it('is closed when it comes too slowly', async () => {
    const slow = await server.signUp();
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    socket.write(headOfLarge(slow));
    let isClosed = false;
    socket.once('close', () => (isClosed = true));
    // Whether the server waits for the form already cannot be seen from here.
    await expect
      .poll(() => {
        now = new Date(now.getTime() + 11_000);
        return isClosed;
      }, TIMEOUT)
      .toBe(true);
  });

  /** Sends forms until a further one of the account is rejected. */
  async function takeSlots(client: TestClient): Promise<(() => void)[]> {
    const senders = [1, 2, 3].map(() => startSending(client));
    while (![429, 503].includes((await sendLarge(client)).status));
    return senders;
  }

  function sendLarge(client: TestClient) {
    const body = petForm({ name: '', species: 'dog' }, Buffer.alloc(1_000_000));
    return client.request('POST', '/api/pets', { body });
  }

  /** A large form that is sent in part; retried when rejected. */
  function startSending(client: TestClient): () => void {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    let stop: () => void = () => socket.destroy();
    socket.once('data', () => {
      socket.destroy();
      stop = startSending(client);
    });
    socket.write(
      `${headOfLarge(client)}--${BOUNDARY}\r\n` +
        `Content-Disposition: form-data; name="profileImage"; filename="a.jpg"\r\n\r\n${'x'.repeat(1000)}`,
    );
    return () => stop();
  }

  function headOfLarge(client: TestClient): string {
    return (
      `POST /api/pets HTTP/1.1\r\nHost: mems\r\nSec-Fetch-Site: same-origin\r\nCookie: ${client.cookie()}\r\n` +
      `Content-Type: ${MULTIPART['Content-Type']}\r\nContent-Length: 2000000\r\n\r\n`
    );
  }
});
