import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';

const server = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });

/** With any Host header, which fetch does not allow. */
async function statusFor(
  headers: Record<string, string>,
  path = '/api/config',
  method = 'GET',
  app = server,
): Promise<number | undefined> {
  const asked = request(new URL(path, app.origin), { method, headers });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

let unnamed: TestServer;
beforeAll(async () => {
  unnamed = await startTestServer({ env: { ALLOWED_HOSTS: 'photos.example, Bär.example' } });
});

describe('without PUBLIC_URL', () => {
  it.each([
    ...['localhost', 'LOCALHOST:5000', '127.0.0.1:5000', '[::1]:5000', '192.168.1.7', 'nas', 'nas:80'],
    ...[
      'nas.local',
      'nas.local.',
      'a.nas.lan',
      'nas.home',
      'nas.internal',
      'nas.home.arpa',
      'mems.localhost',
    ],
    ...['photos.example', 'PHOTOS.example.:8080', 'xn--br-via.example'],
  ])('the host %s is answered', async (host) => {
    expect(await statusFor({ Host: host }, '/api/config', 'GET', unnamed)).toBe(200);
  });

  it.each([
    ...['evil.example', 'evil.example:5000', 'nas.local.evil.example', 'localhost.evil.example'],
    ...['evil-local.example', 'notlan.example', 'arpa.example', 'sub.photos.example', '%'],
  ])('the host %s is rejected, against DNS rebinding', async (host) => {
    expect(await statusFor({ Host: host }, '/api/config', 'GET', unnamed)).toBe(421);
  });

  it('the rejection says which setting to change', async () => {
    const proxied = await startTestServer({ env: { TRUST_PROXY: '1' } });
    const rejected = await proxied.visitor().get('/', { 'X-Forwarded-Host': 'mems.example' });
    expect([rejected.status, rejected.body]).toEqual([
      421,
      {
        message:
          'This server does not answer for this address. The person who runs it can set PUBLIC_URL to it, or add its name to ALLOWED_HOSTS.',
        code: 'wrong-host',
      },
    ]);
  });

  it('a foreign page cannot name another host in a proxy’s header', async () => {
    const proxied = await startTestServer({ env: { TRUST_PROXY: '1' } });
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'localhost' };
    expect(await statusFor(headers, '/api/config', 'GET', proxied)).toBe(421);
  });
});

describe('a change without Sec-Fetch-Site', () => {
  it.each([
    [204, 'mems.example', 'https://mems.example'],
    [204, 'localhost:5000', 'http://localhost:5000'],
    [403, 'mems.example', 'http://mems.example'],
    [403, 'mems.example', 'https://mems.example:8443'],
    [403, 'localhost:5000', 'http://localhost:6000'],
    [403, 'localhost:5000', 'null'],
  ])('with PUBLIC_URL is %i for the host %s and the origin %s', async (status, host, origin) => {
    expect(await statusFor({ Host: host, Origin: origin }, '/api/logout', 'POST')).toBe(status);
  });
});

describe('with PUBLIC_URL', () => {
  it.each([
    [200, 'mems.example'],
    [200, 'MEMS.example:443'],
    [200, 'localhost:5000'],
    [421, 'mems.example:8443'],
    [421, 'evil.example'],
    [421, 'mems.example.evil.example'],
    [421, '%'],
  ])('the response is %i for the host %s', async (status, host) => {
    expect(await statusFor({ Host: host })).toBe(status);
  });

  it('a proxy that does not pass the host on is rejected, except for the health check', async () => {
    const headers = { Host: 'localhost:5000', 'X-Forwarded-For': '203.0.113.7' };
    expect(await statusFor(headers)).toBe(421);
    expect(await statusFor(headers, '/api/health')).toBe(200);
  });

  it('photos are received at the machine’s address, to which Companion sends them', async () => {
    const path = '/uploads/0199a000-0000-7000-8000-000000000000?signature=forged';
    expect(await statusFor({ Host: '172.18.0.3:5000' }, path, 'PUT')).toBe(403);
  });
});
