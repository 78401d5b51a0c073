import { beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { readOutbox } from '../../testing/dev-outbox.ts';

const REFUSED = {
  message: 'This password is too common. Please choose another one.',
  fields: { password: 'This password is too common. Please choose another one.' },
};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

describe('a common password', () => {
  it.each(['123456', 'Password1', 'ILOVEYOU'])('%s is refused for a new account', async (password) => {
    const account = { email: 'common@mems.example', username: 'common', password };
    const answer = await server.visitor().post('/api/register', account);
    expect([answer.status, answer.body]).toMatchObject([422, REFUSED]);
  });

  it('is refused when a password is changed', async () => {
    const owner = await server.signUp();
    const json = { currentPassword: 'correct horse', password: 'letmein' };
    const answer = await owner.request('PATCH', '/api/user/password', { json });
    expect([answer.status, answer.body]).toMatchObject([422, REFUSED]);
  });

  it('is refused when a password is reset, and the link still works', async () => {
    await server.signUp('forgetful');
    const email = 'forgetful@mems.example';
    await server.visitor().post('/api/password/forgot', { email });
    await server.drainJobs();
    const token = /#([\w-]+)/.exec((await readOutbox(server.dataDir)).at(-1)?.text ?? '')?.[1];
    const reset = (password: string) => server.visitor().post('/api/password/reset', { token, password });
    const answer = await reset('sunshine');
    expect([answer.status, answer.body]).toMatchObject([422, REFUSED]);
    expect((await reset('a better horse')).status).toBeLessThan(300);
    const login = await server.visitor().post('/api/login', { email, password: 'a better horse' });
    expect(login.status).toBe(200);
  });
});
