import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../../../testing/test-server.ts';
import { readOutbox } from '../../../../testing/clients/dev-outbox.ts';
import { hashPassword } from './password.ts';
import { updateUser } from '../user-queries.ts';

const REJECTED = {
  message: 'This password is easy to guess. Please choose another one.',
  code: 'invalid',
  fields: { password: 'This password is easy to guess. Please choose another one.' },
};

const server = await startTestServer();

const register = (password: string, person: object = {}) =>
  server
    .visitor()
    .post('/api/register', { email: 'common@mems.example', username: 'common', password, ...person });

describe('a password that is easy to guess', () => {
  it.each([
    ...['123456', 'Password1', 'ILOVEYOU', 'letmein', 'sunshine', 'qwerty123', 'monkey1', 'hunter2'],
    ...['654321', '121212', 'aaaaaa', 'abcdefg', '19871987', 'zxcvbn', 'qazwsx', 'aaabbb', '999999999'],
    ...['Passw0rd!', 'P@ssw0rd', 'password!!', 'drowssap'],
    ...['memsareforever', 'Mems-Are-Forever!', 'Forever12'],
  ])('%s is rejected for a new account', async (password) => {
    const response = await register(password);
    expect([response.status, response.body]).toMatchObject([422, REJECTED]);
  });

  it('is a word of the own account, also backwards', async () => {
    const person = {
      email: 'wilhelmina.quist@mems.example',
      username: 'quistpaws',
      firstName: 'Wilhelmina',
      lastName: 'Quistgaard',
    };
    for (const password of [
      ...['Wilhelmina', 'quistgaard', 'WilhelminaQuistgaard', 'quistpaws', 'swaptsiuq'],
      ...['wilhelmina.quist@mems.example', 'wilhelmina.quist', 'Quist-12'],
    ]) {
      const response = await register(password, person);
      expect({ password, status: response.status, body: response.body }).toMatchObject({
        password,
        status: 422,
        body: REJECTED,
      });
    }
    const other = await register('quistpaws', { email: 'other@mems.example', username: 'other' });
    expect(other.status).toBe(201);
  });

  it('is not one of six characters by chance, or a long one', async () => {
    for (const [index, password] of ['kx7!qp', '*)§$%…', 'muddy boots', 'x7Qp'.repeat(256)].entries()) {
      const person = { email: `strong${index}@mems.example`, username: `strong${index}` };
      expect((await register(password, person)).status).toBe(201);
    }
  });

  it('is rejected when a password is changed', async () => {
    const owner = await server.signUp('changing');
    for (const password of ['letmein', 'changing']) {
      const json = { currentPassword: 'correct horse', password };
      const response = await owner.request('PATCH', '/api/user/password', { json });
      expect([response.status, response.body]).toMatchObject([422, REJECTED]);
    }
  });

  it('is rejected when a password is reset, and the link still works', async () => {
    await server.signUp('forgetful');
    const email = 'forgetful@mems.example';
    await server.visitor().post('/api/password/forgot', { email });
    await server.drainJobs();
    const token = /#([\w-]+)/.exec((await readOutbox(server.dataDir)).at(-1)?.text ?? '')?.[1];
    const reset = (password: string) => server.visitor().post('/api/password/reset', { token, password });
    for (const password of ['sunshine', 'forgetful']) {
      const response = await reset(password);
      expect([response.status, response.body]).toMatchObject([422, REJECTED]);
    }
    expect((await reset('a better horse')).status).toBeLessThan(300);
    const login = await server.visitor().post('/api/login', { email, password: 'a better horse' });
    expect(login.status).toBe(200);
  });

  it('still signs in where it was accepted before', async () => {
    const { userId } = await server.signUp('early');
    const passwordHash = await hashPassword(server.context, '654321');
    await updateUser(server.context.db, userId, { passwordHash });
    const login = { email: 'early@mems.example', password: '654321' };
    expect((await server.visitor().post('/api/login', login)).status).toBe(200);
  });
});
