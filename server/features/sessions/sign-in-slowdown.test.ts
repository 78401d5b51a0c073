import { beforeAll, describe, expect, it } from 'vitest';
import type { TestClient, TestResponse } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { TRUST_PROXY: '1', LOGIN_FAILURES_PER_ACCOUNT: '3' } });
});

let addresses = 0;
/** Each attempt has its own IP address. */
const attempt = (name: string, password: string, client: TestClient = server.visitor()) =>
  client.post(
    '/api/login',
    { email: `${name}@mems.example`, password },
    { 'X-Forwarded-For': `203.0.113.${++addresses}` },
  );
const guess = async (name: string) => {
  const { status, headers } = await attempt(name, 'wrong one');
  return { status, seconds: Number(headers.get('Retry-After')) };
};

const deviceCookie = ({ headers }: TestResponse) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('mems.device-'))
    ?.split(';')[0] ?? '';

/** As if the delay had passed. */
async function passDelay(): Promise<void> {
  await server.context.db.execute(`update rate_limits set expire = 0 where key like 'loginWhileSlowed:%'`);
}

describe('guesses at one account from many addresses', () => {
  it.each(['known', 'unknown'])('are slowed down more and more, up to a bound (%s account)', async (name) => {
    if (name === 'known') await server.signUp(name);
    const delays: number[] = [];
    for (let n = 0; n < 3; n++) expect((await guess(name)).status).toBe(401);
    for (let n = 0; n < 6; n++) {
      await passDelay();
      expect((await guess(name)).status).toBe(401);
      const refused = await guess(name);
      expect(refused.status).toBe(429);
      delays.push(Math.round(refused.seconds / 60));
    }
    expect(delays).toEqual([1, 2, 4, 8, 15, 15]);
  });

  it('count when they are concurrent', async () => {
    await server.signUp('hurried');
    const statuses = await Promise.all(Array.from({ length: 10 }, () => guess('hurried')));
    expect(statuses.filter(({ status }) => status === 401)).toHaveLength(4);
  });

  it('do not keep out the owner at a browser that has signed in before, which counts for itself', async () => {
    await server.signUp('owner');
    const browser = server.visitor();
    expect((await attempt('owner', 'correct horse', browser)).status).toBe(200);
    await browser.post('/api/logout');
    for (let n = 0; n < 5; n++) await guess('owner');
    expect((await attempt('owner', 'correct horse')).status).toBe(429);
    expect((await attempt('owner', 'correct horse', browser)).status).toBe(200);
    // The owner's success does not reset the count of the others.
    expect((await guess('owner')).status).toBe(429);
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await attempt('owner', 'wrong one', browser)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
  });

  it('do not keep out two people at one browser, from their registrations on', async () => {
    const browser = server.visitor();
    for (const name of ['mother', 'daughter']) {
      const account = { email: `${name}@mems.example`, username: name, password: 'correct horse' };
      expect((await browser.post('/api/register', account)).status).toBe(201);
      await browser.post('/api/logout');
      for (let n = 0; n < 5; n++) await guess(name);
    }
    for (const name of ['mother', 'daughter', 'mother'])
      expect((await attempt(name, 'correct horse', browser)).status).toBe(200);
  });

  it('are remembered by a browser for five accounts', async () => {
    const browser = server.visitor();
    for (let n = 1; n <= 6; n++) {
      await server.signUp(`sibling${n}`);
      await attempt(`sibling${n}`, 'correct horse', browser);
    }
    for (let n = 1; n <= 6; n++) for (let m = 0; m < 5; m++) await guess(`sibling${n}`);
    const statuses = [];
    for (let n = 1; n <= 6; n++) statuses.push((await attempt(`sibling${n}`, 'wrong one', browser)).status);
    expect(statuses).toEqual([429, 401, 401, 401, 401, 401]);
  });

  it('are not helped by another account’s or a forged device cookie', async () => {
    await server.signUp('target');
    await server.signUp('attacker');
    const [name = ''] = deviceCookie(await attempt('target', 'correct horse')).split('=');
    const browser = server.visitor();
    const [, proof = ''] = deviceCookie(await attempt('attacker', 'correct horse', browser)).split('=');
    for (let n = 0; n < 5; n++) await guess('target');
    expect((await attempt('target', 'wrong one', browser)).status).toBe(429);
    for (const value of ['1.forged', proof]) {
      const headers = { 'X-Forwarded-For': '203.0.113.250', Cookie: `${name}=${value}` };
      const forged = await server
        .visitor()
        .post('/api/login', { email: 'target@mems.example', password: 'wrong one' }, headers);
      expect(forged.status).toBe(429);
    }
  });

  it('are forgotten after a right password', async () => {
    await server.signUp('absent');
    for (let n = 0; n < 3; n++) await guess('absent');
    expect((await attempt('absent', 'correct horse')).status).toBe(200);
    expect((await guess('absent')).status).toBe(401);
  });
});
