import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoriesOf } from '../../../testing/clients/album.ts';
import {
  heldMessagesOf,
  newPhoto,
  signedEmail,
  signUpEmailOwner,
  type EmailOwner,
} from '../../../testing/data/inbound-email.ts';
import { file, multipart } from '../../../testing/data/mime.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { createLocalDkimKey } from '../local-dkim-key.ts';

const SECRET = 'a secret of more than thirty-two characters';
const NOBODY = '0123456789abcdef01234567@in.mems.example';
const BUCKET = 'mails';

/** The code in docs/setup/inbound-email.md. */
let worker: { email(message: object, env: object): Promise<void> };
let lambda: { handler(event: object): Promise<void> };

/** Where https://mems.example leads. */
let origin: string;
let secret: string;
const bucket = new Map<string, Buffer>();

beforeAll(async () => {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string | URL, init: RequestInit) =>
    fetch(String(url).replace('https://mems.example', origin), init),
  );
  const s3 = createServer(({ url = '' }, response) => response.end(bucket.get(url.split('?')[0] ?? '')));
  await new Promise<void>((done) => s3.listen(0, '127.0.0.1', done));
  // What Lambda gives its functions.
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(s3.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');

  const folder = await mkdtemp(join(tmpdir(), 'mems-docs-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const page = await readFile('docs/setup/inbound-email.md', 'utf8');
  const load = async (title: string): Promise<unknown> => {
    const [, code = ''] = /^```js\n(.*?)^```/ms.exec(page.slice(page.indexOf(title))) ?? [];
    const path = join(folder, `${title.replace(/\W/g, '')}.mjs`);
    await writeFile(path, code);
    return import(pathToFileURL(path).href);
  };
  ({ default: worker } = (await load('### Cloudflare Email Routing')) as { default: typeof worker });
  lambda = (await load('### Amazon SES')) as typeof lambda;

  afterAll(async () => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    s3.closeAllConnections();
    s3.close();
    await rm(folder, { recursive: true });
  });
});

/** The origin of a server that breaks all connections. */
async function startBrokenServer(): Promise<string> {
  const broken = createServer().on('connection', (socket) => socket.destroy());
  await new Promise<void>((done) => broken.listen(0, '127.0.0.1', done));
  onTestFinished(() => void broken.close());
  return `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
}

type Mail = { to: string[]; raw: Buffer };
type Outcome = 'done' | 'sent back' | 'tried again';

const outcomeOf = (run: Promise<void>): Promise<Outcome> =>
  run.then(
    () => 'done',
    () => 'tried again',
  );

/** Calls the Worker for each recipient; if it throws, the sender's server retries. */
async function byCloudflare({ to, raw }: Mail): Promise<Outcome> {
  let outcome: Outcome = 'done';
  for (const each of to) {
    const setReject = vi.fn<(reason: string) => void>();
    const message = {
      from: 'mara@mems.example',
      to: each,
      headers: new Headers(),
      raw: new Blob([new Uint8Array(raw)]).stream(),
      rawSize: raw.length,
      setReject,
    };
    outcome = await outcomeOf(worker.email(message, { SECRET: secret }));
    if (setReject.mock.calls.length > 0) outcome = 'sent back';
  }
  return outcome;
}

/** Stores the email and calls the function; if it throws, the notification stays in the queue. */
async function bySes({ to, raw }: Mail): Promise<Outcome> {
  vi.stubEnv('SECRET', secret);
  const objectKey = `new/${bucket.size}`;
  bucket.set(`/${BUCKET}/${objectKey}`, raw);
  const body = JSON.stringify({
    notificationType: 'Received',
    mail: { source: 'mara@mems.example', messageId: objectKey, destination: to },
    receipt: {
      recipients: to,
      action: { type: 'S3', bucketName: BUCKET, objectKeyPrefix: 'new/', objectKey },
    },
  });
  return outcomeOf(lambda.handler({ Records: [{ eventSource: 'aws:sqs', body }] }));
}

describe.each([
  {
    provider: 'cloudflare',
    bring: byCloudflare,
    rejection: 'sent back',
    authservId: 'mx.cloudflare.net',
    verdict: (domain: string) => `mx.cloudflare.net;
\tdkim=pass header.d=${domain} header.s=20251104 header.b=L6CZ3OJ0;
\tdmarc=pass header.from=${domain} policy.dmarc=none;
\tspf=none (mx.cloudflare.net: no SPF records found for postmaster@mx.${domain}) smtp.helo=mx.${domain};
\tarc=none smtp.remote-ip="2001:db8::1"`,
  },
  {
    provider: 'ses',
    bring: bySes,
    rejection: 'done',
    authservId: 'amazonses.com',
    verdict: (domain: string) => `amazonses.com;
 spf=pass (spfCheck: domain of _spf.${domain} designates 192.0.2.1 as permitted sender) client-ip=192.0.2.1; envelope-from=mara@${domain}; helo=mx.${domain};
 dkim=pass header.i=@${domain};
 dmarc=none header.from=${domain};`,
  },
])('the set-up for $provider', ({ provider, bring, rejection, authservId, verdict }) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        INBOUND_MAIL_DOMAIN: 'in.mems.example',
        INBOUND_MAIL_SECRET: SECRET,
        INBOUND_MAIL_PROVIDER: provider,
        INBOUND_MAIL_AUTHSERV_ID: authservId,
      },
      overrides: { dns: { resolve: (name) => lookUp(name) } },
    });
  });
  beforeEach(() => {
    ({ origin } = server);
    secret = SECRET;
  });

  /** mems.example signs with this server's key. */
  function lookUp(name: string): Promise<unknown[]> {
    const { selector, record } = createLocalDkimKey(server.context.keyedHash);
    if (name === `${selector}._domainkey.mems.example`) return Promise.resolve([[record]]);
    return Promise.reject(Object.assign(new Error(name), { code: 'ENOTFOUND' }));
  }

  const signed = async (from: string) => signedEmail(server, { from, to: '', photos: [await newPhoto()] });
  const unsigned = async (headers: Record<string, string | string[]>) =>
    multipart('mixed', [file((await newPhoto()).bytes)], { headers });

  async function albumOf(owner: EmailOwner) {
    await server.drainJobs();
    return { memories: (await memoriesOf(owner)).length, held: (await heldMessagesOf(owner)).length };
  }

  it('delivers email to each recipient', async () => {
    const [mara, joan] = [await signUpEmailOwner(server), await signUpEmailOwner(server)];
    const to = [mara.inboundEmail, joan.inboundEmail];
    expect(await bring({ to, raw: await signed(mara.email) })).toBe('done');
    expect([await albumOf(mara), await albumOf(joan)]).toEqual([
      { memories: 1, held: 0 },
      { memories: 0, held: 1 },
    ]);
  });

  it('does not retry permanently rejected email', async () => {
    const { email, inboundEmail } = await signUpEmailOwner(server);
    expect(await bring({ to: [NOBODY], raw: await signed(email) })).toBe(rejection);
    const tooLarge = Buffer.alloc(40 * 1024 * 1024 + 1, 'a\r\n');
    expect(await bring({ to: [inboundEmail], raw: tooLarge })).toBe(rejection);
  });

  it('loses nothing while the app is down, the secret is wrong or the inbox is full', async () => {
    const owner = await signUpEmailOwner(server);
    const mail = { to: [owner.inboundEmail], raw: await signed(owner.email) };
    origin = await startBrokenServer();
    expect(await bring(mail)).toBe('tried again');
    ({ origin } = server);
    secret = 'another';
    expect(await bring(mail)).toBe('tried again');
    secret = SECRET;
    expect(await bring(mail)).toBe('done');

    const { db } = server.context;
    await db.execute(
      `insert into inbound_emails (id, owner_id, status, byte_size, is_stored, next_attempt_at, created_at)
       select gen_random_uuid(), '${owner.userId}', 'waiting', 1, false, 'infinity', now()
       from generate_series(1, 50)`,
    );
    const stranger = { ...mail, raw: await signed('stranger@mems.example') };
    expect(await bring(stranger)).toBe('tried again');
    await db.execute('delete from inbound_emails where byte_size = 1');
    expect(await bring(stranger)).toBe('done');
    expect(await albumOf(owner)).toEqual({ memories: 1, held: 1 });
  });

  it('trusts the provider’s results, and none that came with the email', async () => {
    const owner = await signUpEmailOwner(server);
    const [own, other] = [verdict('mems.example'), verdict('else.example')];
    for (const results of [
      [own, other],
      [other, own],
    ]) {
      const raw = await unsigned({ 'Authentication-Results': results, From: owner.email });
      expect(await bring({ to: [owner.inboundEmail], raw })).toBe('done');
    }
    expect(await albumOf(owner)).toEqual({ memories: 1, held: 1 });
  });
});
