import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { User } from '#shared/accounts/user';
import type { AppConfig } from '#shared/api/app-config';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import { administratorInvitationUrl } from './accept-invitation.ts';

const tokenOf = async ({ context }: TestServer) =>
  /\/auth\?invite=([\w-]{43})$/.exec((await administratorInvitationUrl(context)) ?? '')?.[1] ?? '';
const accountOf = (name: string) => ({
  email: `${name}@mems.example`,
  username: name,
  password: 'correct horse',
});
const register = (at: TestServer, name: string, invitationToken?: string, client = at.visitor()) =>
  client.post('/api/register', { ...accountOf(name), ...(invitationToken && { invitationToken }) });
const accept = (client: TestClient, invitationToken: string) =>
  client.post('/api/user/administrator', { invitationToken });
const isAdmin = async (client: TestClient) => ((await client.get('/api/user')).body as User).isAdmin;

/** As nginx with only `proxy_pass` sends it: its own address as Host, and nothing of the visitor. */
async function registerBehindBareProxy({ origin }: TestServer, httpVersion: '1.0' | '1.1'): Promise<string> {
  const { host, port } = new URL(origin);
  const body = JSON.stringify(accountOf('eve'));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `POST /api/register HTTP/${httpVersion}\r\nHost: ${host}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return text(socket);
}

describe('a stranger behind a proxy that sends no headers', () => {
  it.each(['1.0', '1.1'] as const)(
    'is no administrator, and invited in no mode, by HTTP/%s',
    async (version) => {
      for (const REGISTRATION of ['open', 'invite', 'closed']) {
        const at = await startTestServer({ env: { REGISTRATION } });
        const response = await registerBehindBareProxy(at, version);
        expect(response).toMatch(
          REGISTRATION === 'open' ? /^HTTP\/1.1 201[^]*"isAdmin":false/ : /^HTTP\/1.1 403/,
        );
        expect(((await at.visitor().get('/api/config')).body as AppConfig).registration).toBe(REGISTRATION);
      }
    },
  );
});

describe('the link of the start', () => {
  it.each(['open', 'invite', 'closed'])('registers one administrator with REGISTRATION=%s', async (mode) => {
    const at = await startTestServer({ env: { REGISTRATION: mode } });
    const token = await tokenOf(at);
    expect((await at.visitor().get(`/api/invitations/${token}`)).body).toMatchObject({
      email: null,
      isForAdministrator: true,
    });
    const responses = await Promise.all(['ada', 'bea', 'cleo'].map((name) => register(at, name, token)));
    expect(responses.filter(({ body }) => (body as User).isAdmin)).toHaveLength(1);
    if (mode !== 'open') expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    expect(await administratorInvitationUrl(at.context)).toBeNull();
    expect((await at.visitor().get(`/api/invitations/${token}`)).status).toBe(404);
  });

  it('makes one existing account an administrator, also of concurrent ones', async () => {
    const at = await startTestServer();
    const [ada, bea] = [await at.signUp('ada'), await at.signUp('bea')];
    const token = await tokenOf(at);
    expect((await accept(at.visitor(), token)).status).toBe(401);
    expect((await accept(ada, 'x'.repeat(43))).status).toBe(404);
    expect([await isAdmin(ada), await isAdmin(bea)]).toEqual([false, false]);
    const responses = await Promise.all([accept(ada, token), accept(bea, token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect([await isAdmin(ada), await isAdmin(bea)].sort()).toEqual([false, true]);
    expect((await accept(ada, token)).status).toBe(404);
  });

  it('is for the account of ADMIN_EMAIL only, where that is set', async () => {
    const at = await startTestServer({ env: { ADMIN_EMAIL: 'Keeper@mems.example' } });
    const [eve, keeper] = [await at.signUp('eve'), await at.signUp('keeper')];
    const token = await tokenOf(at);
    const rejected = await accept(eve, token);
    expect([rejected.status, rejected.body]).toEqual([
      403,
      { message: 'This invitation is for Keeper@mems.example.', code: 'forbidden' },
    ]);
    const accepted = await accept(keeper, token);
    expect([accepted.status, accepted.body]).toMatchObject([200, { isAdmin: true }]);
  });

  it('of another address does not work once ADMIN_EMAIL is changed', async () => {
    const at = await startTestServer();
    const token = await tokenOf(at);
    const env = { DATABASE_URL: at.databaseUrl, SESSION_SECRET: at.context.sessionSecret.value };
    const other = await startTestServer({ env: { ...env, ADMIN_EMAIL: 'keeper@mems.example' } });
    expect((await other.visitor().get(`/api/invitations/${token}`)).status).toBe(404);
  });
});
