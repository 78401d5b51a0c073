import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { addContact } from '../../testing/data/factories.ts';
import { outboxVisitor } from '../../testing/clients/dev-outbox.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { devOutboxUrl, readDevOutboxKey } from './dev-outbox-access.ts';
import { DEV_OUTBOX_COOKIE } from './dev-outbox-key-middleware.tsx';

const OVER_SMTP = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUBLIC_URL: 'http://localhost',
  MAIL_FROM: 'a@mems.example',
};
const BY_TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'for-tests-only',
  TWILIO_PHONE_NUMBER: '+12025550100',
};

const server = await startTestServer();
const owner = await server.signUp('mara');
await addContact(owner);
await owner.post('/api/sms/send-verification', { phoneNumber: '2065550123' });
await server.drainJobs();

/** With the key, and any Host header, which fetch does not allow. */
async function statusFor(
  headers: Record<string, string>,
  origin = server.origin,
): Promise<number | undefined> {
  const cookie = `${DEV_OUTBOX_COOKIE}=${server.context.devOutboxKey}`;
  const asked = request(new URL('/dev/outbox', origin), { headers: { Cookie: cookie, ...headers } });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('/dev/outbox', () => {
  it('shows the stored email and SMS', async () => {
    const list = await outboxVisitor(server).get('/dev/outbox');
    expect(list.text).toContain('mara added you');
    expect(list.text).toMatch(/\d{6} is your Mems Are Forever code[^]*to \+12065550123/);
    const path = /\/dev\/outbox\/[\w-]+/.exec(list.text)?.[0] ?? '';
    const mail = await outboxVisitor(server).get(path);
    expect(mail.text).toContain('ingrid@family.example');
    expect(mail.text).toMatch(/<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    for (const other of ['none', '..%2f..%2fsecrets%2fsession', '%00']) {
      expect((await outboxVisitor(server).get(`/dev/outbox/${other}`)).status).toBe(404);
    }
  });

  it('accepts only direct requests from this machine', async () => {
    const { host } = new URL(server.origin);
    expect(await statusFor({ Host: host })).toBe(200);
    expect(await statusFor({ Host: 'localhost:5000' })).toBe(200);
    for (const headers of [
      { Host: 'mems.lan' },
      { Host: 'localhost.evil.lan' },
      { Host: host, 'X-Forwarded-For': '127.0.0.1' },
      { Host: host, Forwarded: 'for=127.0.0.1' },
    ]) {
      expect([headers, await statusFor(headers)]).toEqual([headers, 404]);
    }
  });

  it('opens with the printed link once, then with a strict cookie, and the key is not logged', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
    const logging = await startTestServer({ overrides: { logger } });
    const key = logging.context.devOutboxKey ?? '';
    const visitor = logging.visitor();
    for (const path of [
      '/dev/outbox',
      '/dev/outbox?key=',
      '/dev/outbox?key=wrong',
      '/dev/outbox/some-email',
    ]) {
      const rejected = await visitor.get(path);
      expect([path, rejected.status]).toEqual([path, 401]);
      expect(rejected.text).toContain('Open it with the link that the app printed when it started.');
    }
    const asJson = { Accept: 'application/json' };
    for (const path of ['/dev/sms', `/dev/emails?key=${key}`])
      expect((await visitor.post(path, {}, asJson)).status).toBe(401);

    const opening = await visitor.get(`${devOutboxUrl(logging.context, logging.origin)}&sent=MM1`);
    expect([opening.status, opening.headers.get('Location')]).toEqual([303, '/dev/outbox?sent=MM1']);
    expect(opening.headers.get('Set-Cookie')).toMatch(/; Path=\/dev; .*HttpOnly; SameSite=Strict$/);
    expect((await visitor.get('/dev/outbox?sent=MM1')).text).toContain('<h1>Outbox</h1>');
    await expect.poll(() => lines.filter((line) => line.includes('/dev/outbox')).length).toBeGreaterThan(5);
    expect(lines.join('')).not.toContain(key);
  });

  it('has a random key, the same for all processes and after a restart', async () => {
    const { dataDir, context } = server;
    expect(Buffer.from(context.devOutboxKey ?? '', 'base64url')).toHaveLength(32);
    expect(await Promise.all([1, 2, 3].map(() => readDevOutboxKey(dataDir)))).toEqual(
      Array(3).fill(context.devOutboxKey),
    );
    const other = await mkdtemp(join(tmpdir(), 'mems-key-'));
    const concurrent = await Promise.all([1, 2, 3].map(() => readDevOutboxKey(other)));
    expect(new Set(concurrent).size).toBe(1);
    expect(concurrent[0]).not.toBe(context.devOutboxKey);
    await writeFile(join(other, 'outbox/key'), '\n');
    await expect(readDevOutboxKey(other)).rejects.toThrow(/outbox\/key is too short/);
    await rm(other, { recursive: true });
  });

  it('is off in production unless asked for', async () => {
    const production = {
      NODE_ENV: 'production',
      SESSION_SECRET: 's'.repeat(32),
      UPLOAD_SECRET: 'u'.repeat(32),
    };
    const off = await startTestServer({ env: production });
    expect([off.context.devOutboxKey, (await outboxVisitor(off).get('/dev/outbox')).status]).toEqual([
      null,
      404,
    ]);
    const on = await startTestServer({ env: { ...production, DEV_OUTBOX: 'true' } });
    expect((await outboxVisitor(on).get('/dev/outbox')).status).toBe(200);
  });

  it('is 404 with a public URL, and if email and SMS are sent by providers', async () => {
    const offered = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    const sending = await startTestServer({ env: { ...OVER_SMTP, ...BY_TWILIO } });
    for (const { origin } of [offered, sending])
      expect(await statusFor({ Host: 'localhost' }, origin)).toBe(404);
  });

  it('hides messages stored before a provider was configured', async () => {
    const [mail, text] = ['mara added you', 'is your Mems Are Forever code'];
    const path =
      /\/dev\/outbox\/[\w-]+/.exec((await outboxVisitor(server).get('/dev/outbox')).text)?.[0] ?? '';
    const mailing = await startTestServer({ env: OVER_SMTP });
    const texting = await startTestServer({ env: BY_TWILIO });
    for (const { dataDir } of [mailing, texting])
      await cp(join(server.dataDir, 'outbox'), join(dataDir, 'outbox'), { recursive: true });
    const shown = (await outboxVisitor(mailing).get('/dev/outbox')).text;
    expect([shown.includes(mail), shown.includes(text)]).toEqual([false, true]);
    expect((await outboxVisitor(mailing).get(path)).status).toBe(404);
    const other = (await outboxVisitor(texting).get('/dev/outbox')).text;
    expect([other.includes(mail), other.includes(text)]).toEqual([true, false]);
  });
});
