import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
});

/** With any Host header, which fetch does not allow. */
async function statusFor(
  headers: Record<string, string>,
  path = '/api/config',
  method = 'GET',
): Promise<number | undefined> {
  const asked = request(new URL(path, server.origin), { method, headers });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

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

  it('a proxy that does not pass the host on is refused, except for the health check', async () => {
    const headers = { Host: 'localhost:5000', 'X-Forwarded-For': '203.0.113.7' };
    expect(await statusFor(headers)).toBe(421);
    expect(await statusFor(headers, '/api/health')).toBe(200);
  });

  it('photos are received at the machine’s address, to which Companion sends them', async () => {
    const path = '/uploads/0199a000-0000-7000-8000-000000000000?signature=forged';
    expect(await statusFor({ Host: '172.18.0.3:5000' }, path, 'PUT')).toBe(403);
  });
});
