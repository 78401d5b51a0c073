import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { projectRoot } from '../../platform/process/project-root.ts';
import { addPet } from '../../testing/data/factories.ts';
import { outboxVisitor } from '../../testing/clients/dev-outbox.ts';
import { copyOfPhoto, makePhoto } from '../../testing/photos/photos.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const NUMBER = '+12065550123';
const PAGE = { Accept: 'text/html' };
const PROGRAM = { Accept: 'application/json' };

let server: TestServer;
let owner: TestClient;
let photo: Buffer;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.signUp();
  photo = await makePhoto();
  await owner.post('/api/sms/send-verification', { phoneNumber: NUMBER });
  const code = /(\d{6}) is your/.exec(await outbox())?.[1];
  expect((await owner.post('/api/sms/verify', { phoneNumber: NUMBER, code })).status).toBe(200);
  await addPet(owner, { name: 'Rex' });
});

async function outbox(path = '/dev/outbox'): Promise<string> {
  return (await outboxVisitor(server).get(path)).text;
}

function send(
  fields: { from?: string; text?: string; photos?: Buffer[] },
  headers: Record<string, string> = PAGE,
  to = server,
) {
  const form = new FormData();
  const { from = NUMBER, text = '', photos = [] } = fields;
  form.set('from', from);
  form.set('text', text);
  for (const bytes of photos)
    form.append('photos', new Blob([new Uint8Array(copyOfPhoto(bytes))]), 'photo.jpg');
  return outboxVisitor(to).request('POST', '/dev/sms', { body: form, headers });
}

const memories = async () => (await owner.get('/api/memories')).body as Memory[];

/** npm run sms, without npm. */
function runCommand(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ code: number; output: string }> {
  const script = join(projectRoot, 'scripts/sms.mjs');
  return new Promise((resolve) => {
    const options = { env: { ENV_FILE: '', DATA_DIR: server.dataDir, ...env } };
    execFile(
      process.execPath,
      [script, ...args],
      { cwd: server.dataDir, ...options },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

describe('a test SMS', () => {
  it('arrives as from Twilio, with its photos, and is answered', async () => {
    const sent = await send({
      from: '(206) 555-0123',
      text: 'Rex: first snow\r\n& ice',
      photos: [photo, photo],
    });
    expect(sent.status).toBe(303);
    const page = sent.headers.get('Location') ?? '';
    const waiting = await outbox(page);
    expect(waiting).toContain('The reply will appear here in a moment.');
    expect(waiting).toContain('http-equiv="refresh"');
    expect(waiting).toContain(`from ${NUMBER}, with 2 photos`);
    await server.drainJobs();
    const added = (await memories()).filter(({ caption }) => caption === 'first snow\n& ice');
    expect(added).toMatchObject([{ source: 'mms' }, { source: 'mms' }]);
    const answered = await outbox(page);
    expect(answered).toContain('Your text was sent, and answered:');
    expect(answered).not.toContain('http-equiv="refresh"');
    expect(answered).toMatch(/Added 2 photos for Rex[^<]*<br\/><span class="muted">to \+12065550123/);
  });

  it('may be text only, or photos only', async () => {
    const before = (await memories()).length;
    expect((await send({ photos: [photo] }, PROGRAM)).body).toMatchObject({ from: NUMBER });
    await server.drainJobs();
    expect(await memories()).toHaveLength(before + 1);
    expect((await send({ text: 'UNDO' }, PROGRAM)).status).toBe(202);
    await server.drainJobs();
    expect(await memories()).toHaveLength(before);
  });

  it.each<[Parameters<typeof send>[0], string]>([
    [{ from: '12', text: 'Rex: 1 < 2' }, 'This is not a phone number. Please check its digits.'],
    [{ from: '', text: 'Rex' }, 'This is not a phone number. Please check its digits.'],
    [{ text: ' \r\n ' }, 'Please write something, or choose a photo.'],
    [{ text: 'x'.repeat(1601) }, 'A text has at most 1600 characters.'],
    [{ photos: Array<Buffer>(11).fill(Buffer.from('x')) }, 'A text carries at most 10 photos.'],
    [{ photos: [Buffer.alloc(26_214_401)] }, 'Please choose photos of at most 25 MB each.'],
  ])('shows errors in the form and keeps its values: %#', async (fields, message) => {
    const page = await send(fields);
    expect(page.status).toBe(422);
    expect(page.text).toContain(message);
    expect(page.text).toContain('<details class="compose" open="">');
    if (fields.text === 'Rex: 1 < 2') expect(page.text).toContain('>Rex: 1 &lt; 2</textarea>');
    const response = await send(fields, PROGRAM);
    expect([response.status, (response.body as { message: string }).message]).toEqual([422, message]);
  });

  it('shows an error when the webhook rejects it', async () => {
    const other = await startTestServer();
    for (const [origin, message] of [
      // Signed with the other server's key.
      [server.origin, 'The webhook rejected the text with status 403.'],
      ['http://127.0.0.1:1', 'The webhook could not be reached.'],
    ] as const) {
      other.context.baseUrl.announce(origin);
      const page = await send({ text: 'Rex' }, PAGE, other);
      expect(page.status).toBe(503);
      expect(page.text).toMatch(new RegExp(`role="alert">${message}`));
    }
  });

  it('rejects a malformed form', async () => {
    const [broken, type] = ['--a\r\nContent-Dis', 'multipart/form-data; boundary=a'];
    const response = await outboxVisitor(server).request('POST', '/dev/sms', {
      body: broken,
      headers: { ...PROGRAM, 'Content-Type': type },
    });
    expect(response.status).toBe(400);
  });

  it('cannot be sent by another site or from another machine', async () => {
    const { host } = new URL(server.origin);
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
    ]) {
      expect((await send({ text: 'UNDO' }, { ...PAGE, ...headers })).status).toBe(403);
    }
    for (const headers of [
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Forwarded-Host': host },
      { Via: '1.1 proxy' },
    ])
      expect((await send({ text: 'UNDO' }, { ...PAGE, ...headers })).status).toBe(404);
  });

  it('cannot be sent with Twilio configured or with a public URL', async () => {
    const byTwilio = await startTestServer({
      env: {
        TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
        TWILIO_AUTH_TOKEN: 'for-tests-only',
        TWILIO_PHONE_NUMBER: '+12025550100',
      },
    });
    const offered = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    for (const other of [byTwilio, offered]) {
      expect((await send({ text: 'Rex' }, PROGRAM, other)).status).toBe(404);
      expect((await outboxVisitor(other).get('/dev/outbox')).text).not.toContain('Send a test text');
    }
  });

  it('has photos that only the account can fetch', async () => {
    await send({ photos: [photo] }, PROGRAM);
    const [media = ''] = await readdir(join(server.dataDir, 'outbox/media'));
    const path = `/dev/media/${media}`;
    expect((await server.visitor().get(path)).status).toBe(401);
    expect((await server.visitor().get(path, { Authorization: 'Basic QUM6eA==' })).status).toBe(401);
    expect((await server.visitor().get('/dev/media/..%2f..%2fsecrets%2fsession')).status).toBe(404);
    const fetched = await server.context.mediaSource.download(
      server.origin + path,
      AbortSignal.timeout(5000),
    );
    expect(fetched.contentType).toBe('image/jpeg');
    // A copy of the photo, whose bytes differ at the start.
    expect(fetched.bytes.subarray(2 - photo.length)).toEqual(photo.subarray(2));
  });
});

describe('npm run sms', () => {
  it('sends an SMS to the running app', async () => {
    await writeFile(join(server.dataDir, 'snow.jpg'), copyOfPhoto(photo));
    const args = ['--from', NUMBER, '--text', 'Rex: from the terminal', 'snow.jpg'];
    const { code, output } = await runCommand(args);
    expect([code, output]).toEqual([
      0,
      expect.stringContaining(`Sent with 1 photo from ${NUMBER}. The reply`),
    ]);
    await server.drainJobs();
    expect(await memories()).toContainEqual(expect.objectContaining({ caption: 'from the terminal' }));
    const [link = ''] = /\/dev\/outbox\?\S+/.exec(output) ?? [];
    const opening = await server.visitor().get(link);
    expect(opening.status).toBe(303);
    expect(await outbox(opening.headers.get('Location') ?? '')).toContain('sent, and answered');
  });

  it('sends the key of the outbox to its own app only', async () => {
    const cookies: (string | undefined)[] = [];
    const foreign = createServer((request, response) => {
      cookies.push(request.headers.cookie);
      request.resume().on('end', () => response.writeHead(401).end('{"message":"No."}'));
    });
    await once(foreign.listen(0, '0.0.0.0'), 'listening');
    onTestFinished(() => void foreign.close());
    const { port } = foreign.address() as AddressInfo;
    const send = (at: string) => runCommand(['--from', NUMBER, '--text', 'Rex', '--at', at]);
    const key = `mems.outbox=${server.context.devOutboxKey ?? ''}`;
    for (const host of ['localhost', '127.0.0.1']) await send(`http://${host}:${port}`);
    expect(cookies).toEqual([key, key]);
    // Reaches this machine as well, but is not known to.
    const elsewhere = `http://0.0.0.0:${port}`;
    const rejected = await send(elsewhere);
    expect([rejected.code, rejected.output]).toEqual([1, expect.stringContaining('Give --at the link')]);
    await send(`${elsewhere}/dev/outbox?key=given`);
    expect(cookies.slice(2)).toEqual(['mems.outbox=', 'mems.outbox=given']);
  });

  it.each([
    [[], '--from is missing'],
    [['--from'], 'Usage: npm run sms'],
    [['--from', NUMBER, '--to', '1'], "Unknown option '--to'"],
    [['--from', NUMBER, 'nothing.jpg'], /There is no file \/.*nothing\.jpg/],
    [['--from', NUMBER, '.'], 'is not a file'],
    [
      ['--from', NUMBER, '--text', 'Rex', '--at', 'http://127.0.0.1:1'],
      'No app answers at http://127.0.0.1:1',
    ],
    [['--from', NUMBER, '--text', 'Rex', '--at', 'localhost'], '--at localhost is no address'],
    [['--from', '12', '--text', 'Rex'], 'This is not a phone number'],
    [['--from', NUMBER], 'Please write something'],
  ])('explains wrong arguments: %j', async (args, message) => {
    const { code, output } = await runCommand(args, { PORT: new URL(server.origin).port });
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(output).not.toMatch(/\n\s+at /);
  });
});
