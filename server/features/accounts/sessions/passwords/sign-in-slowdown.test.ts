import { describe, expect, it } from 'vitest';
import { SIGN_IN_SLOWED } from '#shared/accounts/session';
import type { TestClient, TestResponse } from '../../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../../testing/test-server.ts';

const server = await startTestServer({ env: { TRUST_PROXY: '1', LOGIN_FAILURES_PER_ACCOUNT: '3' } });

let addresses = 0;
/** Each attempt has its own IP address, of one network unless another address is given. */
const attempt = (
  name: string,
  password: string,
  client: TestClient = server.visitor(),
  ip = `203.0.113.${++addresses}`,
) => client.post('/api/login', { email: `${name}@mems.example`, password }, { 'X-Forwarded-For': ip });
const attemptFrom = (name: string, password: string, ip: string) => attempt(name, password, undefined, ip);
/** A wrong password from each of so many networks. */
async function guessFromNetworks(name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await attemptFrom(name, 'wrong one', `10.1.${n}.1`);
}
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
      const rejected = await guess(name);
      expect(rejected.status).toBe(429);
      delays.push(Math.round(rejected.seconds / 60));
    }
    expect(delays).toEqual([1, 2, 4, 8, 15, 15]);
  });

  it('count when they are concurrent', async () => {
    await server.signUp('hurried');
    // The first one of a network does not wait.
    await guess('hurried');
    const statuses = await Promise.all(Array.from({ length: 10 }, () => guess('hurried')));
    expect(statuses.filter(({ status }) => status === 401)).toHaveLength(3);
  });

  it('do not keep out the owner in a network without a wrong one', async () => {
    await server.signUp('traveller');
    // The address of this account is guessed all the time, whenever an attempt is allowed.
    for (const minute of [0, 60, 120, 180]) {
      for (let n = 0; n < 39; n++) await attemptFrom('traveller', 'wrong one', `10.0.${n}.${minute}`);
      expect((await attemptFrom('traveller', 'correct horse', `198.51.100.${minute}`)).status).toBe(200);
      await passDelay();
    }
  });

  it.each([
    ['IPv4 /24', '192.0.2.1', '192.0.2.200', '192.0.3.1'],
    ['IPv6 /56', '2001:db8:0:1::1', '2001:db8:0:ff::1', '2001:db8:0:100::1'],
  ])('count by network: %s', async (_kind, guesser, neighbour, elsewhere) => {
    const name = `neighbour${guesser.length}`;
    await server.signUp(name);
    for (let n = 0; n < 5; n++) await guess(name);
    expect((await attemptFrom(name, 'wrong one', guesser)).status).toBe(401);
    expect((await attemptFrom(name, 'correct horse', neighbour)).status).toBe(429);
    expect((await attemptFrom(name, 'correct horse', elsewhere)).status).toBe(200);
  });

  it('from 60 networks in an hour slow down all others, and offer the link by email', async () => {
    await server.signUp('famous');
    await guessFromNetworks('famous', 59);
    expect((await attemptFrom('famous', 'correct horse', '198.51.100.1')).status).toBe(200);
    // The owner's success does not make room for more networks.
    await guessFromNetworks('famous', 61);
    await guess('famous');
    const rejected = await attemptFrom('famous', 'correct horse', '198.51.100.1');
    expect([rejected.status, rejected.body]).toEqual([
      429,
      {
        message: expect.stringMatching(
          /^Too many people try to sign in to this account\. Please try again in .+, or get a link by email\.$/,
        ) as string,
        code: SIGN_IN_SLOWED,
      },
    ]);
  });

  it('from many networks count when they are concurrent', async () => {
    await server.signUp('crowded');
    for (let n = 0; n < 5; n++) await guess('crowded');
    const ips = Array.from({ length: 70 }, (_, n) => `10.2.${n}.1`);
    const responses = await Promise.all(ips.map((ip) => attemptFrom('crowded', 'wrong one', ip)));
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(60);
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

  it('are not helped by a browser that knew an earlier password', async () => {
    const owner = await server.signUp('careful');
    const browser = server.visitor();
    await attempt('careful', 'correct horse', browser);
    const json = { currentPassword: 'correct horse', password: 'a better horse' };
    expect((await owner.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    for (let n = 0; n < 5; n++) await guess('careful');
    expect((await attempt('careful', 'a better horse', browser)).status).toBe(429);
    expect((await attempt('careful', 'a better horse', owner)).status).toBe(200);
  });

  it('are forgotten after a right password', async () => {
    await server.signUp('absent');
    for (let n = 0; n < 3; n++) await guess('absent');
    expect((await attempt('absent', 'correct horse')).status).toBe(200);
    expect((await guess('absent')).status).toBe(401);
  });
});
