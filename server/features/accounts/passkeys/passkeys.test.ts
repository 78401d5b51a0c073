import { request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppConfig } from '#shared/api/app-config';
import type { Passkey } from '#shared/accounts/passkey';
import { passkeyChallenges } from '../../../platform/db/schema/accounts/passkeys.ts';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import { addPasswordResetLink } from '../../../testing/data/factories.ts';
import { addTestPasskey, createTestPasskey, signInByPasskey } from '../../../testing/clients/passkey.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { turnTotpOn } from '../../../testing/clients/totp.ts';
import { purgeExpiredRowsJob } from '../../../app/purge-expired-rows-job.ts';

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId: string };

let now = new Date('2026-06-01T12:00:00Z');
const passMinutes = (minutes: number) => {
  now = new Date(now.getTime() + 60_000 * minutes);
};

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
const origin = `http://localhost:${new URL(server.origin).port}`;
beforeEach(() => passMinutes(1));

const requestChallenge = async (client: TestClient) =>
  (await client.post('/api/login/passkey/options')).body as RequestOptions;
const startAdding = async (client: TestClient) =>
  (await client.post('/api/user/passkeys/options')).body as CreationOptions;
const list = async (client: TestClient) => (await client.get('/api/user/passkeys')).body as Passkey[];
const isSignedIn = async (client: TestClient) => (await client.get('/api/user')).status === 200;
const send = (client: TestClient, method: string, path: string, json = {}) =>
  client.request(method, path, { json });
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

async function subjectsTo(name: string): Promise<string[]> {
  await server.drainJobs();
  const emails = await readOutbox(server.dataDir);
  return emails.filter(({ to }) => to === `${name}@mems.example`).map(({ subject }) => subject);
}

describe('adding a passkey', () => {
  it('names it after the device, tells the owner, and lets it sign in without a password or a code', async () => {
    const owner = await server.signUp('ada');
    await turnTotpOn(owner, now);
    const passkey = await addTestPasskey(owner, origin);
    expect(await list(owner)).toEqual([
      { id: passkey.id, name: 'An unknown browser', createdAt: now.toISOString(), lastUsedAt: null },
    ]);
    expect(await subjectsTo('ada')).toContain('A passkey was added');
    const browser = server.visitor();
    passMinutes(3);
    const response = await signInByPasskey(browser, passkey);
    expect([response.status, response.body]).toMatchObject([200, { username: 'ada' }]);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await list(browser))[0]?.lastUsedAt).toBe(now.toISOString());
  });

  it('asks for a discoverable, user-verified credential that is not there yet', async () => {
    const owner = await server.signUp('bea');
    const passkey = await addTestPasskey(owner, origin);
    const options = await startAdding(owner);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Mems Are Forever' },
      user: { name: 'bea@mems.example' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: passkey.sign(await requestChallenge(owner)).id }],
    });
  });

  it('needs a confirmed identity, as removing one does', async () => {
    const owner = await server.signUp();
    const { id } = await addTestPasskey(owner, origin);
    passMinutes(11);
    for (const [method, path] of [
      ['POST', '/api/user/passkeys/options'],
      ['DELETE', `/api/user/passkeys/${id}`],
    ] as const)
      expect((await send(owner, method, path)).body).toMatchObject({ code: 'identity-unconfirmed' });
    expect(await list(owner)).toHaveLength(1);
  });

  it('works once per challenge, also at once, for its own user, and within five minutes', async () => {
    const owner = await server.signUp();
    const other = await server.signUp();
    const add = (client: TestClient, body: object) => client.post('/api/user/passkeys', body);
    const registration = createTestPasskey(origin).register(await startAdding(owner));
    expect((await add(other, registration)).body).toMatchObject({ code: 'challenge-expired' });
    const responses = await Promise.all([1, 2, 3].map(() => add(owner, registration)));
    expect(statusesOf(responses)).toEqual([201, 409, 409]);
    const late = createTestPasskey(origin).register(await startAdding(owner));
    passMinutes(5);
    expect((await add(owner, late)).status).toBe(409);
    expect(await list(owner)).toHaveLength(1);
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:1' },
    { rpId: 'evil.example' },
    { isVerified: false },
  ])('is rejected with %j', async (changes) => {
    const owner = await server.signUp();
    const registration = createTestPasskey(origin).register(await startAdding(owner), changes);
    expect((await owner.post('/api/user/passkeys', registration)).status).toBe(401);
    expect(await list(owner)).toEqual([]);
  });

  it('is rejected for a passkey that is another user’s, or there already', async () => {
    const owner = await server.signUp();
    const thief = await server.signUp();
    const passkey = createTestPasskey(origin);
    const add = async (client: TestClient) =>
      client.post('/api/user/passkeys', passkey.register(await startAdding(client)));
    expect((await add(owner)).status).toBe(201);
    expect((await add(owner)).status).toBe(409);
    expect((await add(thief)).status).toBe(409);
    expect(await list(thief)).toEqual([]);
  });

  it('ends at twenty, also of concurrent ones', async () => {
    const owner = await server.signUp();
    for (let n = 0; n < 18; n++) await addTestPasskey(owner, origin);
    const registrations = [];
    for (let n = 0; n < 4; n++)
      registrations.push(createTestPasskey(origin).register(await startAdding(owner)));
    const responses = await Promise.all(registrations.map((each) => owner.post('/api/user/passkeys', each)));
    expect(statusesOf(responses)).toEqual([201, 201, 409, 409]);
    expect((await owner.post('/api/user/passkeys/options')).status).toBe(409);
  });

  it.each([
    {},
    { id: 'a', rawId: 'a', type: 'password', response: {} },
    { id: 'x'.repeat(2000), rawId: 'a', type: 'public-key', response: {} },
    { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: [], attestationObject: 1 } },
  ])('rejects malformed answers (%#)', async (body) => {
    const owner = await server.signUp();
    expect((await owner.post('/api/user/passkeys', body)).status).toBe(422);
    expect((await server.visitor().post('/api/login/passkey', body)).status).toBe(422);
  });
});

describe('signing in with a passkey', () => {
  it('accepts an answer once, also when it comes eight times at once', async () => {
    const passkey = await addTestPasskey(await server.signUp(), origin);
    // As synchronized passkeys, whose counter does not tell a repeated answer.
    const assertion = passkey.sign(await requestChallenge(server.visitor()), { counter: 0 });
    const signIn = () => server.visitor().post('/api/login/passkey', assertion);
    const responses = await Promise.all(Array.from({ length: 8 }, signIn));
    expect(statusesOf(responses)).toEqual([200, ...Array<number>(7).fill(401)]);
    expect((await signIn()).body).toMatchObject({ code: 'challenge-expired' });
  });

  it('accepts no answer after five minutes, or to a challenge that was not for signing in', async () => {
    const owner = await server.signUp();
    const passkey = await addTestPasskey(owner, origin);
    const signIn = (challenge: string) =>
      server.visitor().post('/api/login/passkey', passkey.sign({ challenge, rpId: 'localhost' }));
    const { challenge } = await requestChallenge(server.visitor());
    const { challenge: forAdding } = await startAdding(owner);
    passMinutes(5);
    for (const each of [challenge, forAdding, 'bm90IG91cnM'])
      expect((await signIn(each)).body).toMatchObject({ code: 'challenge-expired' });
  });

  it.each([
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { isVerified: false },
    { userHandle: Buffer.from('someone else').toString('base64url') },
  ])('is rejected with %j', async (changes) => {
    const passkey = await addTestPasskey(await server.signUp(), origin);
    const browser = server.visitor();
    expect((await signInByPasskey(browser, passkey, changes)).status).toBe(401);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('is rejected with a signature by another key, and for unknown and removed passkeys', async () => {
    const owner = await server.signUp('cleo');
    const [passkey, other] = [await addTestPasskey(owner, origin), await addTestPasskey(owner, origin)];
    const options = await requestChallenge(owner);
    const { signature } = other.sign(options).response;
    const assertion = passkey.sign(options);
    const forged = { ...assertion, response: { ...assertion.response, signature } };
    expect((await server.visitor().post('/api/login/passkey', forged)).status).toBe(401);
    const unknown = createTestPasskey(origin);
    const changes = { userHandle: Buffer.from(owner.userId).toString('base64url') };
    expect((await signInByPasskey(server.visitor(), unknown, changes)).status).toBe(401);
    expect((await send(owner, 'DELETE', `/api/user/passkeys/${passkey.id}`)).status).toBe(204);
    expect((await signInByPasskey(server.visitor(), passkey)).status).toBe(401);
    expect((await signInByPasskey(server.visitor(), other)).status).toBe(200);
    expect(await subjectsTo('cleo')).toContain('A passkey was removed');
  });

  it('is rejected when the counter went back, as that of a copy does', async () => {
    const passkey = await addTestPasskey(await server.signUp(), origin);
    const signIn = (counter: number) => signInByPasskey(server.visitor(), passkey, { counter });
    expect((await signIn(5)).status).toBe(200);
    for (const counter of [5, 4, 0]) expect((await signIn(counter)).status).toBe(401);
    expect((await signIn(6)).status).toBe(200);
    const [seven, eight] = [
      await requestChallenge(server.visitor()),
      await requestChallenge(server.visitor()),
    ];
    const atOnce = [passkey.sign(seven, { counter: 7 }), passkey.sign(eight, { counter: 7 })];
    const responses = await Promise.all(
      atOnce.map((each) => server.visitor().post('/api/login/passkey', each)),
    );
    expect(statusesOf(responses)).toEqual([200, 401]);
  });

  it('works again and again for synchronized passkeys, whose counter is always 0', async () => {
    const owner = await server.signUp();
    const passkey = createTestPasskey(origin);
    const registration = passkey.register(await startAdding(owner), { counter: 0 });
    expect((await owner.post('/api/user/passkeys', registration)).status).toBe(201);
    for (let n = 0; n < 3; n++)
      expect((await signInByPasskey(server.visitor(), passkey, { counter: 0 })).status).toBe(200);
  });

  it('ends with a reset of the password, also for one that is being added', async () => {
    const owner = await server.signUp();
    const passkey = await addTestPasskey(owner, origin);
    const adding = createTestPasskey(origin);
    const begun = adding.register(await startAdding(owner));
    const token = (await addPasswordResetLink(server.context, owner.userId)).split('#')[1];
    const [reset] = await Promise.all([
      server.visitor().post('/api/password/reset', { token, password: 'a better horse' }),
      owner.post('/api/user/passkeys', begun),
    ]);
    expect(reset.status).toBe(200);
    for (const each of [passkey, adding])
      expect((await signInByPasskey(server.visitor(), each)).status).toBe(401);
  });

  it('is rejected for a disabled account', async () => {
    const owner = await server.signUp();
    const passkey = await addTestPasskey(owner, origin);
    await server.context.db.execute(`update users set disabled_at = now() where id = '${owner.userId}'`);
    const browser = server.visitor();
    expect((await signInByPasskey(browser, passkey)).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('a passkey instead of the password', () => {
  it('allows sensitive changes again, once, by its owner', async () => {
    const owner = await server.signUp();
    const other = await server.signUp();
    const passkey = await addTestPasskey(owner, origin);
    const othersPasskey = await addTestPasskey(other, origin);
    passMinutes(11);
    const confirm = (assertion: object) => owner.post('/api/session/proof/passkey', assertion);
    const isAllowed = async () => (await owner.post('/api/user/totp')).status === 201;
    expect((await confirm(othersPasskey.sign(await requestChallenge(owner)))).status).toBe(401);
    expect(await isAllowed()).toBe(false);
    const assertion = passkey.sign(await requestChallenge(owner));
    expect((await confirm(assertion)).status).toBe(204);
    expect(await isAllowed()).toBe(true);
    passMinutes(11);
    expect((await confirm(assertion)).status).toBe(401);
    expect(await isAllowed()).toBe(false);
  });

  it('accepts an answer once, also when it comes four times at once, and within five minutes', async () => {
    const owner = await server.signUp();
    const passkey = await addTestPasskey(owner, origin);
    const confirm = (assertion: object) => owner.post('/api/session/proof/passkey', assertion);
    const assertion = passkey.sign(await requestChallenge(owner), { counter: 0 });
    const responses = await Promise.all([1, 2, 3, 4].map(() => confirm(assertion)));
    expect(statusesOf(responses)).toEqual([204, 401, 401, 401]);
    const late = passkey.sign(await requestChallenge(owner), { counter: 0 });
    passMinutes(5);
    expect((await confirm(late)).body).toMatchObject({ code: 'challenge-expired' });
  });
});

describe('the passkeys of an account', () => {
  it('are listed, renamed and removed by their owner only', async () => {
    const owner = await server.signUp();
    const other = await server.signUp();
    const { id } = await addTestPasskey(owner, origin);
    passMinutes(1);
    const { id: newest } = await addTestPasskey(owner, origin);
    expect((await list(owner)).map((each) => each.id)).toEqual([newest, id]);
    expect(await list(other)).toEqual([]);
    const path = `/api/user/passkeys/${id}`;
    expect((await send(other, 'PATCH', path, { name: 'Stolen' })).status).toBe(404);
    expect((await send(other, 'DELETE', path)).status).toBe(404);
    const renamed = await send(owner, 'PATCH', path, { name: '  Mara’s phone ' });
    expect([renamed.status, renamed.body]).toMatchObject([200, { id, name: 'Mara’s phone' }]);
    for (const name of ['', '   ', 'x'.repeat(61), null])
      expect((await send(owner, 'PATCH', path, { name })).status).toBe(422);
    expect((await send(owner, 'DELETE', path)).status).toBe(204);
    expect((await send(owner, 'DELETE', path)).status).toBe(404);
  });
});

describe('the relying party', () => {
  it('is the configured one, whatever the Host header says', async () => {
    const { port } = new URL(server.origin);
    const options = await new Promise<RequestOptions>((resolve, reject) => {
      const headers = { Host: 'evil.lan', 'X-Forwarded-Host': 'evil.lan' };
      httpRequest({ port, method: 'POST', path: '/api/login/passkey/options', headers }, (response) => {
        json(response).then((body) => resolve(body as RequestOptions), reject);
      }).end();
    });
    expect(options.rpId).toBe('localhost');
    expect(((await server.visitor().get('/api/config')).body as AppConfig).passkeyOrigin).toBe(origin);
  });

  it('follows PUBLIC_URL; without https there are no passkeys', async () => {
    const secure = await startTestServer({ env: { PUBLIC_URL: 'https://mems.example' } });
    const passkey = await addTestPasskey(await secure.signUp(), 'https://mems.example');
    expect((await signInByPasskey(secure.visitor(), passkey)).status).toBe(200);
    const changes = { origin: `http://localhost:${new URL(secure.origin).port}` };
    expect((await signInByPasskey(secure.visitor(), passkey, changes)).status).toBe(401);
    const plain = await startTestServer({ env: { PUBLIC_URL: 'http://mems.example' } });
    expect(((await plain.visitor().get('/api/config')).body as AppConfig).passkeyOrigin).toBeNull();
    const rejected = await plain.visitor().post('/api/login/passkey/options');
    expect([rejected.status, rejected.text]).toEqual([409, expect.stringContaining('https') as string]);
  });
});

describe('challenges', () => {
  it('are limited per address, and purged once they are too old', async () => {
    const { db } = server.context;
    await requestChallenge(server.visitor());
    passMinutes(5);
    const { challenge } = await requestChallenge(server.visitor());
    await purgeExpiredRowsJob.handle(server.context, {});
    const left = await db.select({ challenge: passkeyChallenges.challenge }).from(passkeyChallenges);
    expect(left).toEqual([{ challenge }]);
    await db.execute(`update rate_limits set points = 600 where key like 'passkeyChallengePerIp:%'`);
    expect((await server.visitor().post('/api/login/passkey/options')).status).toBe(429);
    await db.execute(`delete from rate_limits where key like 'passkeyChallengePerIp:%'`);
  });
});
