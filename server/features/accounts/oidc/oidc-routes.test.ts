import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectedIdentity } from '#shared/accounts/oidc';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import { addPasswordResetLink } from '../../../testing/data/factories.ts';
import {
  OIDC_CLIENT_SETTINGS,
  startOidcIssuer,
  type OidcIssuer,
} from '../../../testing/fakes/oidc-issuer.ts';
import { holdLocks, waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { startOidcProvider } from '../../../testing/fakes/oidc-provider.ts';
import type { TestClient, TestResponse } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { totpCode, turnTotpOn } from '../../../testing/clients/totp.ts';
import { deleteSetup } from '../emailed-links/unverified-user-queries.ts';
import { updateUser } from '../users/user-queries.ts';

const lines: string[] = [];
let now = new Date();
const passMinutes = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60 * 1000);
};

const issuer = await startOidcIssuer();
const server = await startTestServer({
  env: { OIDC_ISSUER: issuer.url, OIDC_NAME: 'Our house', ...OIDC_CLIENT_SETTINGS },
  overrides: {
    clock: { now: () => now },
    logger: pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) }),
  },
});
afterAll(() => issuer.close());
afterEach(() => {
  issuer.misbehavior = {};
});

async function start(client: TestClient): Promise<string> {
  const response = await client.post('/api/oidc/start');
  expect(response.status).toBe(200);
  return (response.body as { url: string }).url;
}

const callBack = (client: TestClient, query: URLSearchParams) =>
  client.get(`/api/oidc/callback?${query.toString()}`, { 'Sec-Fetch-Site': 'cross-site' });

/** The whole way to the provider and back. */
async function signIn(
  client: TestClient,
  subject: string,
  claims?: Record<string, unknown>,
): Promise<TestResponse> {
  return callBack(client, issuer.authorize(await start(client), subject, claims));
}

const target = ({ status, headers }: TestResponse) => {
  expect(status).toBe(303);
  return headers.get('Location');
};
const isSignedIn = async (client: TestClient) => (await client.get('/api/user')).status === 200;
const join = (client: TestClient) => client.post('/api/oidc/identities');
const identities = async (client: TestClient) =>
  (await client.get('/api/oidc/identities')).body as ConnectedIdentity[];
const enterPassword = (client: TestClient, name: string) =>
  client.post('/api/login', { email: `${name}@mems.example`, password: 'correct horse' });

/** An account, and the issuer's subject of the same name. */
async function signUpConnected(name: string) {
  const client = await server.signUp(name);
  expect(target(await signIn(client, name))).toBe('/connect');
  expect((await join(client)).status).toBe(201);
  return client;
}

describe('a sign-in with a real provider', () => {
  it('is joined after the password once, and signs in alone from then on', async () => {
    const provider = await startOidcProvider();
    const app = await startTestServer({ env: provider.env });
    provider.register(app.origin);
    await app.signUp('mara');
    const throughProvider = async (client: TestClient) => {
      const url = await provider.signIn(await start(client), 'mara-at-home');
      expect(url.href).toMatch(`${app.origin}/api/oidc/callback?`);
      return target(await client.get(url.pathname + url.search));
    };

    const visitor = app.visitor();
    expect(await throughProvider(visitor)).toBe('/connect');
    expect((await visitor.get('/api/oidc/pending')).body).toEqual({ label: 'mara-at-home@house.example' });
    expect((await join(visitor)).status).toBe(401);
    expect((await enterPassword(visitor, 'mara')).status).toBe(200);
    expect((await join(visitor)).status).toBe(201);
    expect((await visitor.get('/api/oidc/pending')).status).toBe(404);

    const elsewhere = app.visitor();
    expect(await throughProvider(elsewhere)).toBe('/');
    expect((await elsewhere.get('/api/user')).body).toMatchObject({ username: 'mara' });
    expect(await identities(elsewhere)).toEqual([
      {
        id: expect.any(String) as string,
        label: 'mara-at-home@house.example',
        createdAt: expect.any(String) as string,
        lastUsedAt: expect.any(String) as string,
      },
    ]);
    await provider.close();
  });
});

describe('without a provider', () => {
  it('there is no button and no route', async () => {
    const app = await startTestServer();
    expect((await app.visitor().get('/api/config')).body).toMatchObject({ oidcName: null });
    expect((await app.visitor().post('/api/oidc/start')).status).toBe(404);
    expect((await app.visitor().get('/api/oidc/callback')).status).toBe(404);
  });
});

describe('the way to the provider', () => {
  it('uses the code flow with PKCE, state and nonce, and comes back to the configured origin', async () => {
    const visitor = server.visitor();
    const response = await visitor.post('/api/oidc/start', {}, { 'X-Forwarded-Host': 'evil.example' });
    const url = new URL((response.body as { url: string }).url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'mems',
      response_type: 'code',
      redirect_uri: `${server.origin}/api/oidc/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      /^mems\.oidc=[\w-]{43}; Max-Age=600; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/,
    );
    for (const secret of ['state', 'nonce', 'code_challenge'])
      expect(cookie).not.toContain(url.searchParams.get(secret));
  });

  it('comes back to PUBLIC_URL with a __Host- cookie under https', async () => {
    const app = await startTestServer({
      env: { OIDC_ISSUER: issuer.url, PUBLIC_URL: 'https://mems.example', ...OIDC_CLIENT_SETTINGS },
    });
    const response = await app.visitor().post('/api/oidc/start');
    const { url } = response.body as { url: string };
    expect(new URL(url).searchParams.get('redirect_uri')).toBe('https://mems.example/api/oidc/callback');
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-mems\.oidc=[^]*; Secure/);
  });

  it('cannot be begun by another site', async () => {
    const visitor = server.visitor();
    const response = await visitor.post('/api/oidc/start', {}, { 'Sec-Fetch-Site': 'cross-site' });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await visitor.get('/api/oidc/start')).status).toBe(404);
  });

  it('is limited for each address', async () => {
    const app = await startTestServer({ env: { OIDC_ISSUER: issuer.url, ...OIDC_CLIENT_SETTINGS } });
    const statuses = await Promise.all(
      Array.from({ length: 103 }, async () => (await app.visitor().post('/api/oidc/start')).status),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});

describe('a known identity', () => {
  it('signs in, is logged, and confirms no identity for sensitive changes', async () => {
    const { userId } = await signUpConnected('known');
    const visitor = server.visitor();
    lines.length = 0;
    expect(target(await signIn(visitor, 'known'))).toBe('/');
    expect(await isSignedIn(visitor)).toBe(true);
    const events = lines.flatMap((line) => (JSON.parse(line) as { security?: object }).security ?? []);
    expect(events).toMatchObject([
      { event: 'sign-in', outcome: 'success', userId, details: { method: 'oidc' } },
    ]);
    const [identity] = await identities(visitor);
    const removal = await visitor.request('DELETE', `/api/oidc/identities/${identity?.id}`);
    expect(removal.body).toMatchObject({ code: 'identity-unconfirmed' });
  });

  it('still needs the code where the account has an authenticator app', async () => {
    const { secret } = await turnTotpOn(await signUpConnected('with-app'), now);
    const client = server.visitor();
    expect(target(await signIn(client, 'with-app'))).toBe('/auth?step=code');
    expect(await isSignedIn(client)).toBe(false);
    passMinutes(1);
    const code = totpCode(secret, now);
    expect((await client.post('/api/login/code', { code })).status).toBe(200);
    expect(await isSignedIn(client)).toBe(true);
    expect((await client.post('/api/user/recovery-codes')).body).toMatchObject({
      code: 'identity-unconfirmed',
    });
  });

  it('gets a new session id, against session fixation', async () => {
    await signUpConnected('fixated');
    const visitor = server.visitor();
    await signIn(visitor, 'fixated');
    const before = visitor.cookie();
    await visitor.post('/api/logout');
    visitor.setCookie(before);
    await signIn(visitor, 'fixated');
    expect(visitor.cookie()).not.toBe(before);
  });

  it('is a known device after its first sign-in: one email for each browser', async () => {
    await signUpConnected('traveller');
    const visitor = server.visitor();
    for (let n = 0; n < 2; n++) {
      const { headers } = await signIn(visitor, 'traveller');
      // Sent to the way back, too. This client sends all cookies everywhere.
      const device = headers.getSetCookie().find((cookie) => cookie.startsWith('mems.device-'));
      expect(device).toContain('; Path=/api;');
      await visitor.post('/api/logout');
    }
    await server.drainJobs();
    const emails = (await readOutbox(server.dataDir)).filter(({ to }) => to.startsWith('traveller@'));
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Another way to sign in was connected',
      'New sign-in to your album',
    ]);
  });

  it('brings back an account that is asleep, and tells its next page', async () => {
    const client = await signUpConnected('sleeper');
    expect((await client.request('DELETE', '/api/user', { json: { username: 'sleeper' } })).status).toBe(204);
    const visitor = server.visitor();
    const back = await signIn(visitor, 'sleeper');
    expect(target(back)).toBe('/');
    expect(back.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^mems\.back=1; Path=\/; /));
    expect((await visitor.get('/api/user')).body).toMatchObject({ username: 'sleeper' });
  });

  it('is rejected for a disabled account', async () => {
    const { userId } = await signUpConnected('disabled');
    await updateUser(server.context.db, userId, { disabledAt: now });
    const visitor = server.visitor();
    expect(target(await signIn(visitor, 'disabled'))).toBe('/auth?ended=disabled');
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('does not replace the session of another user', async () => {
    await signUpConnected('one');
    const other = await server.signUp('other');
    expect(target(await signIn(other, 'one'))).toBe('/account?oidc=taken');
    expect((await other.get('/api/user')).body).toMatchObject({ username: 'other' });
    expect((await join(other)).status).toBe(404);
  });
});

describe('an unknown identity', () => {
  it('is never joined by its email address alone', async () => {
    await server.signUp('famous');
    const visitor = server.visitor();
    const claims = { email: 'famous@mems.example', email_verified: true };
    expect(target(await signIn(visitor, 'thief', claims))).toBe('/connect');
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await join(visitor)).status).toBe(401);
    expect(target(await signIn(visitor, 'thief', claims))).toBe('/connect');
  });

  it('creates no account', async () => {
    const visitor = server.visitor();
    const before = await server.context.db.execute('select count(*)::int as count from users');
    await signIn(visitor, 'stranger', { email: 'stranger@mems.example', email_verified: true });
    const after = await server.context.db.execute('select count(*)::int as count from users');
    expect(after.rows).toEqual(before.rows);
  });

  it('waits for ten minutes', async () => {
    const client = await server.signUp('slow');
    await signIn(client, 'slow');
    passMinutes(9);
    expect((await client.get('/api/oidc/pending')).status).toBe(200);
    passMinutes(2);
    expect((await client.get('/api/oidc/pending')).status).toBe(404);
    await client.post('/api/session/proof', { password: 'correct horse' });
    expect((await join(client)).status).toBe(404);
  });

  it('waits in one browser only', async () => {
    await signIn(server.visitor(), 'elsewhere');
    const client = await server.signUp('curious');
    expect((await client.get('/api/oidc/pending')).status).toBe(404);
    expect((await join(client)).status).toBe(404);
  });

  it('is joined only after a confirmed identity', async () => {
    const client = await server.signUp('away');
    passMinutes(11);
    await signIn(client, 'away');
    expect((await join(client)).body).toMatchObject({ code: 'identity-unconfirmed' });
    await client.post('/api/session/proof', { password: 'correct horse' });
    expect((await join(client)).status).toBe(201);
  });

  it('is joined once, also by concurrent requests', async () => {
    const client = await server.signUp('double');
    await signIn(client, 'double');
    const responses = await Promise.all(Array.from({ length: 5 }, () => join(client)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404]);
    expect(await identities(client)).toHaveLength(1);
  });

  it('is joined to one of two users at once', async () => {
    const clients = [await server.signUp('first-of-two'), await server.signUp('second-of-two')];
    for (const client of clients) await signIn(client, 'shared');
    const responses = await Promise.all(clients.map(join));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      message: 'This sign-in with Our house is connected to another album.',
    });
    expect((await Promise.all(clients.map(identities))).flat()).toHaveLength(1);
  });

  it('is not joined beside another one of the same account', async () => {
    const client = await signUpConnected('single');
    await signIn(client, 'single-again');
    expect((await join(client)).body).toMatchObject({
      message: 'Your album is connected to another sign-in with Our house. Disconnect that one first.',
    });
    const [identity] = await identities(client);
    await client.request('DELETE', `/api/oidc/identities/${identity?.id}`);
    // Nothing was lost.
    expect((await join(client)).status).toBe(201);
  });

  it('has a label that cannot harm', async () => {
    const client = await server.signUp('labelled');
    await signIn(client, 'labelled', { email: 'nul\0', preferred_username: 7, name: 'x'.repeat(500) });
    expect((await client.get('/api/oidc/pending')).body).toEqual({ label: 'x'.repeat(200) });
    expect((await join(client)).status).toBe(201);
  });
});

describe('a connected identity', () => {
  it('signs in no longer once it is disconnected, and its owner gets an email for both', async () => {
    const client = await signUpConnected('leaver');
    const [identity] = await identities(client);
    const path = `/api/oidc/identities/${identity?.id}`;
    expect((await client.request('DELETE', path)).status).toBe(204);
    expect((await client.request('DELETE', path)).status).toBe(404);
    const visitor = server.visitor();
    expect(target(await signIn(visitor, 'leaver'))).toBe('/connect');
    await server.drainJobs();
    const emails = (await readOutbox(server.dataDir)).filter(({ to }) => to.startsWith('leaver@'));
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Another way to sign in was connected',
      'A way to sign in was disconnected',
    ]);
    const activity = (await client.get('/api/user/activity')).body as { kind: string }[];
    expect(activity.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['identity-joined', 'identity-removed']),
    );
  });

  it('is disconnected by a reset of the password: a thief may have joined it', async () => {
    const { userId } = await signUpConnected('robbed');
    const token = (await addPasswordResetLink(server.context, userId)).split('#')[1];
    await server.visitor().post('/api/password/reset', { token, password: 'battery staple' });
    expect(target(await signIn(server.visitor(), 'robbed'))).toBe('/connect');
  });

  it('is disconnected with what was set up before the address was verified', async () => {
    const { userId } = await signUpConnected('squatter');
    await server.context.db.transaction((tx) => deleteSetup(tx, userId, now));
    expect(target(await signIn(server.visitor(), 'squatter'))).toBe('/connect');
  });

  it('is not joined after a reset of the password that came first', async () => {
    const client = await server.signUp('raced');
    await signIn(client, 'raced');
    const reset = await holdLocks(
      server.databaseUrl,
      `update users set password_hash = 'new' where id = $1`,
      [client.userId],
    );
    const joining = join(client);
    await waitForBlockedConnection(server.databaseUrl);
    await reset.commit();
    expect((await joining).status).toBe(401);
    expect(target(await signIn(server.visitor(), 'raced'))).toBe('/connect');
  });

  it('is not another user’s to see or remove', async () => {
    const [identity] = await identities(await signUpConnected('private'));
    const other = await server.signUp('nosy');
    expect(await identities(other)).toEqual([]);
    expect((await other.request('DELETE', `/api/oidc/identities/${identity?.id}`)).status).toBe(404);
  });
});

describe('the way back', () => {
  beforeAll(() => signUpConnected('victim'));

  /** How the response of an attacked sign-in ends, with what the issuer was asked. */
  async function attack(client: TestClient, query: URLSearchParams) {
    issuer.calls.length = 0;
    const redirect = target(await callBack(client, query));
    expect(await isSignedIn(client)).toBe(false);
    return { redirect, calls: [...issuer.calls] };
  }

  it('is rejected in another browser, with its own sign-in or without', async () => {
    const query = issuer.authorize(await start(server.visitor()), 'victim');
    const expired = { redirect: '/auth?oidc=expired', calls: [] };
    expect(await attack(server.visitor(), query)).toEqual(expired);
    const other = server.visitor();
    await start(other);
    expect(await attack(other, query)).toEqual(expired);
  });

  it('is rejected without state', async () => {
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'victim');
    query.delete('state');
    expect(await attack(visitor, query)).toEqual({ redirect: '/auth?oidc=expired', calls: [] });
  });

  it('is rejected with the code of another sign-in, by PKCE', async () => {
    const stolen = issuer.authorize(await start(server.visitor()), 'victim').get('code') ?? '';
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'attacker');
    query.set('code', stolen);
    expect((await attack(visitor, query)).redirect).toBe('/auth?oidc=rejected');
  });

  it('is rejected with a code that was used', async () => {
    const first = server.visitor();
    const used = issuer.authorize(await start(first), 'victim');
    expect(target(await callBack(first, used))).toBe('/');
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'attacker');
    query.set('code', used.get('code') ?? '');
    expect((await attack(visitor, query)).redirect).toBe('/auth?oidc=rejected');
  });

  it('works once, also for concurrent requests', async () => {
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'victim');
    const cookies = visitor.cookies();
    issuer.calls.length = 0;
    const responses = await Promise.all(
      Array.from({ length: 5 }, () =>
        server.visitor().get(`/api/oidc/callback?${query.toString()}`, { Cookie: cookies }),
      ),
    );
    expect(responses.map(target).sort()).toEqual(['/', ...Array<string>(4).fill('/auth?oidc=expired')]);
    expect(issuer.calls.filter((call) => call === 'token')).toHaveLength(1);
    const later = await server.visitor().get(`/api/oidc/callback?${query.toString()}`, { Cookie: cookies });
    expect(target(later)).toBe('/auth?oidc=expired');
  });

  it('is rejected after ten minutes', async () => {
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'victim');
    passMinutes(10);
    expect(await attack(visitor, query)).toEqual({ redirect: '/auth?oidc=expired', calls: [] });
  });

  it('is rejected when another issuer answers (mix-up)', async () => {
    for (const iss of ['https://evil.example', null]) {
      const visitor = server.visitor();
      const query = issuer.authorize(await start(visitor), 'victim');
      if (iss) query.set('iss', iss);
      else query.delete('iss');
      expect(await attack(visitor, query)).toEqual({ redirect: '/auth?oidc=rejected', calls: [] });
    }
  });

  it.each([
    ['another nonce', { claims: (claims) => ({ ...claims, nonce: 'of another sign-in' }) }],
    ['no nonce', { claims: ({ nonce: _nonce, ...claims }) => claims }],
    ['another issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
    ['another audience', { claims: (claims) => ({ ...claims, aud: 'another client' }) }],
    ['another authorized party', { claims: (claims) => ({ ...claims, aud: ['mems', 'x'], azp: 'x' }) }],
    ['a time in the past', { claims: (claims) => ({ ...claims, exp: Date.now() / 1000 - 3600 }) }],
    ['no subject', { claims: ({ sub: _sub, ...claims }) => claims }],
    ['an empty subject', { claims: (claims) => ({ ...claims, sub: ' ' }) }],
    ['a subject that is too long', { claims: (claims) => ({ ...claims, sub: 'x'.repeat(256) }) }],
    ['no signature (alg none)', { signature: 'none' }],
    ['a signature by an unknown key', { signature: 'unknown-key' }],
    ['no token', { tokens: ({ id_token: _token, ...tokens }) => tokens }],
    ['a token that is none', { tokens: (tokens) => ({ ...tokens, id_token: 'x.y.z' }) }],
  ] satisfies [string, OidcIssuer['misbehavior']][])('is rejected with %s', async (_name, misbehavior) => {
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'victim');
    issuer.misbehavior = misbehavior;
    expect((await attack(visitor, query)).redirect).toBe('/auth?oidc=rejected');
    expect(target(await callBack(visitor, query))).toBe('/auth?oidc=expired');
  });

  it('leads to fixed pages only (open redirect)', async () => {
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'victim');
    for (const name of ['next', 'returnTo', 'redirect_uri', 'oidc']) query.set(name, 'https://evil.example');
    expect(target(await callBack(visitor, query))).toBe('/');
    const failed = await server.visitor().get('/api/oidc/callback?oidc=//evil.example&state=//evil.example');
    expect(target(failed)).toBe('/auth?oidc=expired');
  });

  it('goes back kindly when the person pressed cancel', async () => {
    const visitor = server.visitor();
    const state = new URL(await start(visitor)).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state, iss: issuer.url });
    expect(await attack(visitor, query)).toEqual({ redirect: '/auth?oidc=cancelled', calls: [] });
    const user = await server.signUp('hesitant');
    const second = new URL(await start(user)).searchParams.get('state') ?? '';
    query.set('state', second);
    expect(target(await callBack(user, query))).toBe('/account?oidc=cancelled');
  });

  it('survives any input', async () => {
    for (const query of ['', '?state', '?state=%00', '?state=a&state=b', `?code=${'x'.repeat(8000)}`])
      expect(target(await server.visitor().get(`/api/oidc/callback${query}`))).toBe('/auth?oidc=expired');
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'victim');
    query.append('state', query.get('state') ?? '');
    expect((await attack(visitor, query)).redirect).toBe('/auth?oidc=rejected');
  });

  it('logs no code, state or token', () => {
    expect(lines.join('')).toContain('/api/oidc/callback');
    expect(lines.join('')).not.toMatch(/code=[\w-]|state=[\w-]|eyJ[\w-]+\./);
  });
});

describe('a provider that is down', () => {
  const PROBLEM = 'Our house is not responding. Please try again in a moment, or use your password.';

  it.each(['unavailable', 'garbled'] as const)(
    'when it is discovered (%s) leads to a clear 503, and is asked again',
    async (kind) => {
      passMinutes(61);
      issuer.misbehavior = { outage: { at: 'discovery', kind } };
      const response = await server.visitor().post('/api/oidc/start');
      expect([response.status, response.body]).toEqual([503, { message: PROBLEM }]);
      expect(response.headers.get('Retry-After')).not.toBeNull();
      issuer.misbehavior = {};
      await start(server.visitor());
    },
  );

  it.each(['token', 'keys'] as const)('when the browser is back (%s) leads to /auth', async (at) => {
    // The metadata, and with it the keys, are fetched again.
    passMinutes(61);
    const visitor = server.visitor();
    const query = issuer.authorize(await start(visitor), 'victim');
    issuer.misbehavior = { outage: { at, kind: 'unavailable' } };
    expect(target(await callBack(visitor, query))).toBe('/auth?oidc=unavailable');
  });

  it('that is silent is given up, when it is discovered and when the browser is back', async () => {
    const open = async (at: 'discovery' | 'token' | 'keys') => {
      const own = await startOidcIssuer();
      onTestFinished(() => own.close());
      const env = { OIDC_ISSUER: own.url, OIDC_NAME: 'Our house', ...OIDC_CLIENT_SETTINGS };
      const client = (await startTestServer({ env })).visitor();
      const silence = () => void (own.misbehavior = { outage: { at, kind: 'silent' } });
      return { own, client, silence };
    };
    const whenDiscovered = async () => {
      const { own, client, silence } = await open('discovery');
      silence();
      const response = await client.post('/api/oidc/start');
      expect([response.status, response.body]).toEqual([503, { message: PROBLEM }]);
      expect(response.headers.get('Retry-After')).not.toBeNull();
      own.misbehavior = {};
      await start(client);
    };
    const whenBack = async (at: 'token' | 'keys') => {
      const { own, client, silence } = await open(at);
      const query = own.authorize(await start(client), 'victim');
      silence();
      expect(target(await callBack(client, query))).toBe('/auth?oidc=unavailable');
    };
    await Promise.all([whenDiscovered(), whenBack('token'), whenBack('keys')]);
  });

  it('that calls itself something else is rejected', async () => {
    passMinutes(61);
    issuer.misbehavior = { metadata: { issuer: 'https://evil.example' } };
    expect((await server.visitor().post('/api/oidc/start')).status).toBe(503);
  });

  it('does not keep the app from starting, and is discovered once for concurrent sign-ins', async () => {
    const down = await startTestServer({
      env: { OIDC_ISSUER: 'http://127.0.0.1:1', ...OIDC_CLIENT_SETTINGS },
    });
    expect((await down.visitor().get('/api/config')).body).toMatchObject({ oidcName: '127.0.0.1' });
    expect((await down.visitor().post('/api/oidc/start')).status).toBe(503);
    passMinutes(61);
    issuer.calls.length = 0;
    await Promise.all(Array.from({ length: 5 }, () => start(server.visitor())));
    expect(issuer.calls).toEqual(['discovery']);
  });
});
