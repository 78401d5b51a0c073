import { cp } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../../testing/factories.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

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

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const owner = await server.signUp('mara');
  await addContact(owner);
  await owner.post('/api/sms/send-verification', { phoneNumber: '2065550123' });
  await server.drainJobs();
});

/** With any Host header, which fetch does not allow. */
async function statusFor(
  headers: Record<string, string>,
  origin = server.origin,
): Promise<number | undefined> {
  const asked = request(new URL('/dev/outbox', origin), { headers });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('/dev/outbox', () => {
  it('shows the stored email and SMS', async () => {
    const list = await server.visitor().get('/dev/outbox');
    expect(list.text).toContain('mara added you');
    expect(list.text).toMatch(/\d{6} is your Mems Are Forever code[^]*to \+12065550123/);
    const path = /\/dev\/outbox\/[\w-]+/.exec(list.text)?.[0] ?? '';
    const mail = await server.visitor().get(path);
    expect(mail.text).toContain('ingrid@family.example');
    expect(mail.text).toMatch(/<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    for (const other of ['none', '..%2f..%2fsecrets%2fsession', '%00']) {
      expect((await server.visitor().get(`/dev/outbox/${other}`)).status).toBe(404);
    }
  });

  it('accepts only direct requests from this machine', async () => {
    const { host } = new URL(server.origin);
    expect(await statusFor({ Host: host })).toBe(200);
    expect(await statusFor({ Host: 'localhost:5000' })).toBe(200);
    for (const headers of [
      { Host: 'mems.example' },
      { Host: 'localhost.evil.example' },
      { Host: host, 'X-Forwarded-For': '127.0.0.1' },
      { Host: host, Forwarded: 'for=127.0.0.1' },
    ]) {
      expect([headers, await statusFor(headers)]).toEqual([headers, 404]);
    }
  });

  it('is 404 with a public URL, and if email and SMS are sent by providers', async () => {
    const offered = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    const sending = await startTestServer({ env: { ...OVER_SMTP, ...BY_TWILIO } });
    for (const { origin } of [offered, sending])
      expect(await statusFor({ Host: 'localhost' }, origin)).toBe(404);
  });

  it('hides messages stored before a provider was configured', async () => {
    const [mail, text] = ['mara added you', 'is your Mems Are Forever code'];
    const path = /\/dev\/outbox\/[\w-]+/.exec((await server.visitor().get('/dev/outbox')).text)?.[0] ?? '';
    const mailing = await startTestServer({ env: OVER_SMTP });
    const texting = await startTestServer({ env: BY_TWILIO });
    for (const { dataDir } of [mailing, texting])
      await cp(join(server.dataDir, 'outbox'), join(dataDir, 'outbox'), { recursive: true });
    const shown = (await mailing.visitor().get('/dev/outbox')).text;
    expect([shown.includes(mail), shown.includes(text)]).toEqual([false, true]);
    expect((await mailing.visitor().get(path)).status).toBe(404);
    const other = (await texting.visitor().get('/dev/outbox')).text;
    expect([other.includes(mail), other.includes(text)]).toEqual([true, false]);
  });
});
