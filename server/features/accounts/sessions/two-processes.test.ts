import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { OidcStart } from '#shared/accounts/oidc';
import type { TotpSetup } from '#shared/accounts/second-factor';
import { readOutbox } from '../../../testing/clients/dev-outbox.ts';
import { addTestPasskey } from '../../../testing/clients/passkey.ts';
import type { TestClient, TestResponse } from '../../../testing/clients/test-client.ts';
import { totpCode, turnTotpOn } from '../../../testing/clients/totp.ts';
import { addPasswordResetLink } from '../../../testing/data/factories.ts';
import { OIDC_CLIENT_SETTINGS, startOidcIssuer } from '../../../testing/fakes/oidc-issuer.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { holdUser, waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';

const ORIGIN = 'http://localhost:5000';
const PASSWORD = 'correct horse';
const ROUNDS = 5;

let now = new Date('2026-06-01T12:00:00Z');
let people = 0;
let name: string;
let owner: TestClient & { userId: string };

const issuer = await startOidcIssuer();
const env = {
  PUBLIC_URL: ORIGIN,
  SESSION_SECRET: 'the same one at both of the servers',
  LOGIN_ATTEMPTS_PER_ACCOUNT: '1000',
  LOGIN_FAILURES_PER_ACCOUNT: '1000',
  ACCOUNT_MAILS_PER_HOUR: '1000',
  OIDC_ISSUER: issuer.url,
  ...OIDC_CLIENT_SETTINGS,
};
const overrides = { clock: { now: () => now } };
const here = await startTestServer({ env, overrides });
const there = await startTestServer({ env: { ...env, DATABASE_URL: here.databaseUrl }, overrides });
afterAll(() => issuer.close());
beforeEach(async () => {
  name = `owner${++people}`;
  owner = await here.signUp(name);
});

type Send = (client: TestClient) => Promise<TestResponse>;

/** `prepare` makes something new that works once, some times. Each is sent to both processes at the same moment. */
async function race(prepare: () => Send | Promise<Send>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    now = new Date(now.getTime() + 60_000);
    const send = await prepare();
    const responses = await Promise.all([here, there, here, there].map((server) => send(server.visitor())));
    const isSuccess = ({ status, headers }: TestResponse) =>
      status < 300 || (status === 303 && headers.get('Location') === '/');
    expect(responses.filter(isSuccess)).toHaveLength(1);
    // Not after that, either.
    expect(isSuccess(await send(there.visitor()))).toBe(false);
  }
}

async function enterPassword(client: TestClient): Promise<void> {
  const login = { email: `${name}@mems.example`, password: PASSWORD };
  expect((await client.post('/api/login', login)).status).toBe(202);
}

async function emailedToken(page: string): Promise<string> {
  await here.drainJobs();
  const links = (await readOutbox(here.dataDir)).flatMap(
    ({ text }) => new RegExp(`/${page}#([\\w-]+)`).exec(text)?.[1] ?? [],
  );
  return links.at(-1) ?? '';
}

describe('of requests to two processes at once, one succeeds', () => {
  it('with a code of an authenticator app', async () => {
    const { secret } = await turnTotpOn(owner, now);
    await race(() => {
      const code = totpCode(secret, now);
      return async (client) => {
        await enterPassword(client);
        return client.post('/api/login/code', { code });
      };
    });
  });

  it('with a recovery code', async () => {
    const { codes } = await turnTotpOn(owner, now);
    await race(() => {
      const code = codes.pop();
      return async (client) => {
        await enterPassword(client);
        return client.post('/api/login/code', { code });
      };
    });
  });

  it('with an answer of a passkey', async () => {
    const passkey = await addTestPasskey(owner, ORIGIN);
    await race(async () => {
      const { body } = await here.visitor().post('/api/login/passkey/options');
      // As synchronized passkeys, whose counter does not tell a repeated answer.
      const assertion = passkey.sign(body as { challenge: string; rpId: string }, { counter: 0 });
      return (client) => client.post('/api/login/passkey', assertion);
    });
  });

  it('with a link to a new password', async () => {
    await race(async () => {
      const token = (await addPasswordResetLink(here.context, owner.userId)).split('#')[1];
      return (client) => client.post('/api/password/reset', { token, password: 'a better horse' });
    });
  });

  it('with a link that confirms an email address, and with one that undoes the change', async () => {
    await owner.request('PATCH', '/api/user/email', { json: { email: `${name}@new.example` } });
    const cookie = owner.cookie();
    const confirm = await emailedToken('confirm-email');
    const responses = await Promise.all(
      [here, there, here, there].map((server) => {
        const client = server.visitor();
        client.setCookie(cookie);
        return client.post('/api/user/email/confirm', { token: confirm });
      }),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422]);
    const token = await emailedToken('undo-email');
    const undone = await Promise.all(
      [here, there, here, there].map((server) => server.visitor().post('/api/user/email/undo', { token })),
    );
    expect(undone.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });

  it('with a way back from an OpenID Connect provider', async () => {
    const back = (client: TestClient, query: URLSearchParams, cookies: string) =>
      client.get(`/api/oidc/callback?${query.toString()}`, { Cookie: cookies });
    const { url } = (await owner.post('/api/oidc/start')).body as OidcStart;
    await back(owner, issuer.authorize(url, name), owner.cookies());
    expect((await owner.post('/api/oidc/identities')).status).toBe(201);
    issuer.calls.length = 0;
    await race(async () => {
      const browser = here.visitor();
      const { url } = (await browser.post('/api/oidc/start')).body as OidcStart;
      const query = issuer.authorize(url, name);
      return (client) => back(client, query, browser.cookies());
    });
    expect(issuer.calls.filter((call) => call === 'token')).toHaveLength(ROUNDS);
  });
});

describe('a process that dies in the middle of a request', () => {
  /** The other process waits for the owner's row, loses its connection, and with it what it has done; then it is tried again. */
  async function dieAndRetry(send: (client: TestClient) => Promise<TestResponse>): Promise<number[]> {
    const cookie = owner.cookie();
    const signedIn = (server: TestServer) => {
      const client = server.visitor();
      client.setCookie(cookie);
      return client;
    };
    const holder = await holdUser(here.databaseUrl, owner.userId);
    const dying = send(signedIn(there));
    const pid = await waitForBlockedConnection(here.databaseUrl);
    await holder.query('select pg_terminate_backend($1)', [pid]);
    const died = await dying;
    await holder.commit();
    return [died.status, (await send(signedIn(here))).status];
  }

  it('leaves a link to a new password usable', async () => {
    const token = (await addPasswordResetLink(here.context, owner.userId)).split('#')[1];
    const reset = { token, password: 'a better horse' };
    expect(await dieAndRetry((client) => client.post('/api/password/reset', reset))).toEqual([503, 200]);
  });

  it('leaves a change of the email address to be confirmed, and to be undone', async () => {
    await owner.request('PATCH', '/api/user/email', { json: { email: `${name}@new.example` } });
    const confirm = { token: await emailedToken('confirm-email') };
    const confirmed = await dieAndRetry((client) => client.post('/api/user/email/confirm', confirm));
    expect(confirmed).toEqual([503, 204]);
    const undo = { token: await emailedToken('undo-email') };
    expect(await dieAndRetry((client) => client.post('/api/user/email/undo', undo))).toEqual([503, 200]);
  });

  it('leaves an authenticator app to be confirmed by the same code', async () => {
    const { secret } = (await owner.post('/api/user/totp')).body as TotpSetup;
    const code = totpCode(secret, now);
    const confirm = (client: TestClient) => client.post('/api/user/totp/confirm', { code });
    expect(await dieAndRetry(confirm)).toEqual([503, 200]);
  });

  it('leaves an identity to be joined', async () => {
    const { url } = (await owner.post('/api/oidc/start')).body as OidcStart;
    await owner.get(`/api/oidc/callback?${issuer.authorize(url, name).toString()}`);
    const Cookie = owner.cookies();
    const join = (client: TestClient) => client.post('/api/oidc/identities', {}, { Cookie });
    expect(await dieAndRetry(join)).toEqual([503, 201]);
  });
});
