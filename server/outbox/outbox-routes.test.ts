import { request } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { addContact } from '../testing/factories.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await addContact(await server.signUp('mara'));
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
  it('shows the mail that stays on this machine', async () => {
    const list = await server.visitor().get('/dev/outbox');
    expect(list.text).toContain('mara added you');
    const path = /\/dev\/outbox\/[\w-]+/.exec(list.text)?.[0] ?? '';
    const mail = await server.visitor().get(path);
    expect(mail.text).toContain('ingrid@family.example');
    expect(mail.text).toMatch(/<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    for (const other of ['none', '..%2f..%2fsecrets%2fsession', '%00']) {
      expect((await server.visitor().get(`/dev/outbox/${other}`)).status).toBe(404);
    }
  });

  it('answers only what comes straight from this machine', async () => {
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

  it('is not there where the app is offered to others, or a mail server takes the mail', async () => {
    const offered = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    const mailing = await startTestServer({
      env: { SMTP_URL: 'smtp://127.0.0.1:1', PUBLIC_URL: 'http://localhost', MAIL_FROM: 'a@mems.example' },
    });
    for (const { origin } of [offered, mailing])
      expect(await statusFor({ Host: 'localhost' }, origin)).toBe(404);
  });
});
