import { beforeEach, describe, expect, it } from 'vitest';
import type { RecoveryCodes, SecondFactor, TotpSetup } from '#shared/accounts/second-factor';
import { recoveryCodes, totpKeys } from '../../../platform/db/schema/accounts/second-factors.ts';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { totpCode, turnTotpOn } from '../../../testing/clients/totp.ts';
import { addPasswordResetLink } from '../../../testing/data/factories.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { holdLocks, waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';

type Owner = TestClient & { userId: string };

let now = new Date('2026-06-01T12:00:00Z');
const passSeconds = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};
const passMinutes = (minutes: number) => passSeconds(60 * minutes);

const server = await startTestServer({
  overrides: { clock: { now: () => now } },
  env: { TRUST_PROXY: '1', LOGIN_FAILURES_PER_ACCOUNT: '12' },
});
// A code works once, so each test has its own time.
beforeEach(() => passMinutes(2));

let people = 0;
async function signUpWithTotp(): Promise<Owner & { name: string; secret: string; codes: string[] }> {
  const name = `owner${++people}`;
  const owner = await server.signUp(name);
  const { secret, codes } = await turnTotpOn(owner, now);
  passSeconds(30);
  return Object.assign(owner, { name, secret, codes });
}

const enterPassword = (client: TestClient, name: string, password = 'correct horse') =>
  client.post('/api/login', { email: `${name}@mems.example`, password });
const enterCode = (client: TestClient, code: unknown, headers?: Record<string, string>) =>
  client.post('/api/login/code', { code }, headers);
const isSignedIn = async (client: TestClient) => (await client.get('/api/user')).status === 200;
const factorOf = async (client: TestClient) =>
  (await client.get('/api/user/second-factor')).body as SecondFactor;
const remove = (client: TestClient, path: string) => client.request('DELETE', path);
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

/** A browser in which the password was entered. */
async function atCodeStep(name: string): Promise<TestClient> {
  const browser = server.visitor();
  expect((await enterPassword(browser, name)).status).toBe(202);
  return browser;
}

async function subjectsTo(name: string): Promise<string[]> {
  await server.drainJobs();
  const emails = await readOutbox(server.dataDir);
  return emails.filter(({ to }) => to === `${name}@mems.example`).map(({ subject }) => subject);
}

describe('setting up an authenticator app', () => {
  it('counts only once a code has confirmed it', async () => {
    const owner = await server.signUp('slow');
    const setup = (await owner.post('/api/user/totp')).body as TotpSetup;
    expect(setup.uri).toContain(setup.secret);
    expect(await factorOf(owner)).toEqual({ totpSince: null, recoveryCodesLeft: 0 });
    expect((await enterPassword(server.visitor(), 'slow')).status).toBe(200);
    const wrong = await owner.post('/api/user/totp/confirm', { code: '000000' });
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { fields: { code: expect.any(String) as string } },
    ]);
    expect((await enterPassword(server.visitor(), 'slow')).status).toBe(200);
    // As some apps show it.
    const shown = totpCode(setup.secret, now).replace(/^.../, '$& ');
    const confirmed = await owner.post('/api/user/totp/confirm', { code: shown });
    expect(confirmed.status).toBe(200);
    const { codes } = confirmed.body as RecoveryCodes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{4}(-[2-9a-hjkmnp-z]{4}){2}$/);
    expect(await factorOf(owner)).toEqual({ totpSince: now.toISOString(), recoveryCodesLeft: 10 });
    expect((await enterPassword(server.visitor(), 'slow')).status).toBe(202);
    expect(await subjectsTo('slow')).toContain('Signing in now asks for a code');
  });

  it('can start again, also at once, and only the last key counts', async () => {
    const owner = await server.signUp('undecided');
    const first = (await owner.post('/api/user/totp')).body as TotpSetup;
    const second = (await owner.post('/api/user/totp')).body as TotpSetup;
    const confirm = ({ secret }: TotpSetup) =>
      owner.post('/api/user/totp/confirm', { code: totpCode(secret, now) });
    expect((await confirm(first)).status).toBe(422);
    const responses = await Promise.all([confirm(second), confirm(second), confirm(second)]);
    expect(statusesOf(responses)).toEqual([200, 409, 409]);
    expect((await factorOf(owner)).recoveryCodesLeft).toBe(10);
    expect((await owner.post('/api/user/totp')).status).toBe(409);
  });

  it('needs a confirmed identity, as turning it off and new recovery codes do', async () => {
    const owner = await signUpWithTotp();
    passMinutes(11);
    const responses = [
      await owner.post('/api/user/totp'),
      await owner.post('/api/user/recovery-codes'),
      await remove(owner, '/api/user/totp'),
    ];
    for (const { status, body } of responses)
      expect([status, body]).toMatchObject([403, { code: 'identity-unconfirmed' }]);
    expect((await owner.post('/api/session/proof', { password: 'correct horse' })).status).toBe(204);
    expect((await owner.post('/api/user/recovery-codes')).status).toBe(200);
  });

  it('ends after ten minutes', async () => {
    const owner = await server.signUp('distracted');
    const { secret } = (await owner.post('/api/user/totp')).body as TotpSetup;
    passMinutes(10);
    const confirm = (key: string) => owner.post('/api/user/totp/confirm', { code: totpCode(key, now) });
    expect((await confirm(secret)).status).toBe(409);
    const again = (await owner.post('/api/user/totp')).body as TotpSetup;
    passMinutes(9);
    expect((await confirm(again.secret)).status).toBe(200);
  });

  it('limits wrong codes, also over several starts', async () => {
    const owner = await server.signUp('guesser');
    const confirm = (code: string) => owner.post('/api/user/totp/confirm', { code });
    const statuses = [];
    for (let n = 0; n < 11; n++) {
      if (n % 5 === 0) await owner.post('/api/user/totp');
      statuses.push((await confirm('000000')).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });

  it('is rejected without a start', async () => {
    const owner = await server.signUp('hasty');
    expect((await owner.post('/api/user/totp/confirm', { code: '123456' })).status).toBe(409);
    expect((await owner.post('/api/user/recovery-codes')).status).toBe(409);
    expect((await remove(owner, '/api/user/totp')).status).toBe(204);
    expect(await subjectsTo('hasty')).toEqual([]);
  });

  it('stores the key encrypted and the recovery codes hashed', async () => {
    const { secret, codes } = await signUpWithTotp();
    const { db } = server.context;
    const stored = JSON.stringify([await db.select().from(totpKeys), await db.select().from(recoveryCodes)]);
    for (const each of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(each);
  });
});

describe('the second step of signing in', () => {
  it('opens the album with a code of the app, in a new session', async () => {
    const { name, secret } = await signUpWithTotp();
    const browser = server.visitor();
    const first = await enterPassword(browser, name);
    expect([first.status, first.body]).toEqual([202, { secondFactor: true }]);
    expect(first.headers.getSetCookie().join()).not.toContain('mems.device');
    expect(await isSignedIn(browser)).toBe(false);
    for (const path of ['/api/memories', '/api/user/second-factor', '/api/sessions', '/api/events'])
      expect((await browser.get(path)).status).toBe(401);
    const pending = browser.cookie();
    const second = await enterCode(browser, totpCode(secret, now));
    expect([second.status, second.body]).toMatchObject([200, { username: name }]);
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookie()).not.toBe(pending);
    const thief = server.visitor();
    thief.setCookie(pending);
    passSeconds(30);
    expect((await enterCode(thief, totpCode(secret, now))).status).toBe(401);
  });

  it('accepts each code once, also when it comes eight times at once', async () => {
    const { name, secret } = await signUpWithTotp();
    const browsers = await Promise.all(Array.from({ length: 8 }, () => atCodeStep(name)));
    const code = totpCode(secret, now);
    const responses = await Promise.all(browsers.map((browser) => enterCode(browser, code)));
    expect(statusesOf(responses)).toEqual([200, ...Array<number>(7).fill(422)]);
    const again = await enterCode(await atCodeStep(name), code);
    expect(again.status).toBe(422);
    expect(again.text).toContain('This code was used already');
  });

  it('accepts no code that is as old as the last one or older', async () => {
    const owner = await server.signUp('replayed');
    const { secret } = await turnTotpOn(owner, now);
    // The one that has confirmed the app.
    expect((await enterCode(await atCodeStep('replayed'), totpCode(secret, now))).status).toBe(422);
    const next = totpCode(secret, new Date(now.getTime() + 30_000));
    expect((await enterCode(await atCodeStep('replayed'), next)).status).toBe(200);
    passSeconds(30);
    expect((await enterCode(await atCodeStep('replayed'), totpCode(secret, now))).status).toBe(422);
  });

  it('accepts each recovery code once, also at once, however it is written', async () => {
    const { name, codes } = await signUpWithTotp();
    const [first = '', second = ''] = codes;
    const browsers = await Promise.all(Array.from({ length: 6 }, () => atCodeStep(name)));
    const responses = await Promise.all(browsers.map((browser) => enterCode(browser, first)));
    expect(statusesOf(responses)).toEqual([200, ...Array<number>(5).fill(422)]);
    const again = await enterCode(await atCodeStep(name), first);
    expect(again.text).toContain('This recovery code was used already');
    const browser = await atCodeStep(name);
    expect((await enterCode(browser, ` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect((await factorOf(browser)).recoveryCodesLeft).toBe(8);
    const subjects = await subjectsTo(name);
    expect(subjects.filter((subject) => subject === 'A recovery code was used')).toHaveLength(2);
  });

  it('accepts no codes of other accounts', async () => {
    const owner = await signUpWithTotp();
    const other = await signUpWithTotp();
    const browser = await atCodeStep(owner.name);
    expect((await enterCode(browser, totpCode(other.secret, now))).status).toBe(422);
    expect((await enterCode(browser, other.codes[0])).status).toBe(422);
    expect((await enterCode(browser, owner.codes[0])).status).toBe(200);
  });

  it('ends ten minutes after the password', async () => {
    const { name, secret } = await signUpWithTotp();
    const browser = await atCodeStep(name);
    passMinutes(10);
    const late = await enterCode(browser, totpCode(secret, now));
    expect([late.status, late.body]).toMatchObject([401, { code: 'sign-in-expired' }]);
    expect((await enterCode(server.visitor(), totpCode(secret, now))).status).toBe(401);
  });

  it('ends with a changed password, and keeps out disabled and deleted accounts', async () => {
    const { name, userId, secret, codes } = await signUpWithTotp();
    const [beforeReset, beforeDisabling, beforeDeletion] = [
      await atCodeStep(name),
      await atCodeStep(name),
      await atCodeStep(name),
    ];
    const { context } = server;
    await context.db.execute(`update users set disabled_at = now() where id = '${userId}'`);
    expect((await enterCode(beforeDisabling, codes[0])).status).toBe(403);
    await context.db.execute(`update users set disabled_at = null where id = '${userId}'`);
    const url = await addPasswordResetLink(context, userId);
    const reset = { token: new URL(url).hash.slice(1), password: 'a better horse' };
    expect((await server.visitor().post('/api/password/reset', reset)).status).toBe(200);
    expect((await enterCode(beforeReset, codes[0])).status).toBe(401);
    // The reset keeps the second factor.
    const browser = server.visitor();
    expect((await enterPassword(browser, name, 'a better horse')).status).toBe(202);
    expect((await enterCode(browser, totpCode(secret, now))).status).toBe(200);
    await context.db.execute(`delete from users where id = '${userId}'`);
    expect((await enterCode(beforeDeletion, codes[0])).status).toBe(401);
  });

  it('limits wrong codes, and slows them down over many addresses', async () => {
    const { name, codes } = await signUpWithTotp();
    const browser = await atCodeStep(name);
    let addresses = 0;
    const guess = (address: string) => enterCode(browser, '000000', { 'X-Forwarded-For': address });
    const statuses = [];
    for (let n = 0; n < 11; n++) statuses.push((await guess('203.0.113.1')).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    const elsewhere = [];
    for (let n = 0; n < 4; n++) elsewhere.push((await guess(`198.51.100.${++addresses}`)).status);
    expect(elsewhere).toEqual([422, 422, 422, 429]);
    // Right codes wait, too.
    const right = await enterCode(browser, codes[0], { 'X-Forwarded-For': '198.51.100.99' });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  it('counts concurrent guesses', async () => {
    const { name } = await signUpWithTotp();
    const browser = await atCodeStep(name);
    const headers = { 'X-Forwarded-For': '203.0.113.2' };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => enterCode(browser, '000000', headers)),
    );
    expect(statusesOf(responses).filter((status) => status === 422)).toHaveLength(10);
  });

  it.each([undefined, null, 123456, '', '   ', 'x'.repeat(101), ['123456'], { $gt: '' }])(
    'rejects %j as a code',
    async (code) => {
      const { name } = await signUpWithTotp();
      const response = await enterCode(await atCodeStep(name), code);
      expect([response.status, response.body]).toMatchObject([
        422,
        { fields: { code: expect.any(String) as string } },
      ]);
    },
  );
});

describe('recovery codes', () => {
  it('stop working when new ones are requested, also several times at once', async () => {
    const owner = await signUpWithTotp();
    const responses = await Promise.all([1, 2, 3].map(() => owner.post('/api/user/recovery-codes')));
    expect(statusesOf(responses)).toEqual([200, 200, 200]);
    expect((await factorOf(owner)).recoveryCodesLeft).toBe(10);
    expect((await enterCode(await atCodeStep(owner.name), owner.codes[0])).status).toBe(422);
    const works = [];
    for (const { body } of responses) {
      const [code] = (body as RecoveryCodes).codes;
      works.push((await enterCode(await atCodeStep(owner.name), code)).status);
    }
    expect(works.sort()).toEqual([200, 422, 422]);
    expect(await subjectsTo(owner.name)).toContain('Your recovery codes were renewed');
  });

  it('are not renewed, and the app not turned off, after a reset of the password that came first', async () => {
    const owner = await signUpWithTotp();
    const reset = await holdLocks(
      server.databaseUrl,
      `update users set password_hash = 'new' where id = $1`,
      [owner.userId],
    );
    const changes = [owner.post('/api/user/recovery-codes'), remove(owner, '/api/user/totp')];
    await waitForBlockedConnection(server.databaseUrl, changes.length);
    await reset.commit();
    expect(statusesOf(await Promise.all(changes))).toEqual([401, 401]);
  });
});

describe('turning it off', () => {
  it('lets the password alone sign in, tells the owner, and leaves no code', async () => {
    const owner = await signUpWithTotp();
    const browser = await atCodeStep(owner.name);
    expect((await remove(owner, '/api/user/totp')).status).toBe(204);
    expect((await enterCode(browser, owner.codes[0])).status).toBe(422);
    expect((await enterCode(browser, totpCode(owner.secret, now))).status).toBe(422);
    expect((await enterPassword(server.visitor(), owner.name)).status).toBe(200);
    expect(await subjectsTo(owner.name)).toContain('Signing in no longer asks for a code');
    expect(await factorOf(owner)).toEqual({ totpSince: null, recoveryCodesLeft: 0 });
  });

  it('by an administrator needs their own confirmed identity, is logged, and the owner is told', async () => {
    const fresh = await startTestServer({ overrides: { clock: { now: () => now } } });
    const admin = await fresh.signUpAdmin('keeper');
    const owner = await fresh.signUp('owner');
    await turnTotpOn(owner, now);
    const path = `/api/admin/users/${owner.userId}/totp`;
    passMinutes(11);
    expect((await remove(owner, path)).status).toBe(403);
    expect((await remove(admin, path)).body).toMatchObject({ code: 'identity-unconfirmed' });
    expect((await admin.post('/api/session/proof', { password: 'correct horse' })).status).toBe(204);
    expect((await remove(admin, path)).status).toBe(204);
    expect((await remove(admin, path)).status).toBe(204);
    const login = { email: 'owner@mems.example', password: 'correct horse' };
    expect((await fresh.visitor().post('/api/login', login)).status).toBe(200);
    await fresh.drainJobs();
    const emails = (await readOutbox(fresh.dataDir)).filter(({ to }) => to === 'owner@mems.example');
    expect(emails.filter(({ text }) => text.includes('An administrator turned off'))).toHaveLength(1);
  });
});
