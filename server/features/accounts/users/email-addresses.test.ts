import { describe, expect, it } from 'vitest';
import { startTestServer } from '../../../testing/test-server.ts';

let accounts = 0;

const server = await startTestServer();

const unicode = { typed: 'oma@пример.рф', stored: 'oma@xn--e1afmkfd.xn--p1ai' };
const plain = (address: string) => ({ typed: address, stored: address });

describe.each([
  unicode,
  plain('tom&jerry@home.example'),
  plain('a/b@home.example'),
  plain('a=b@home.example'),
  plain("o'neil+photos@home.example"),
  { typed: 'opa@bücher.example', stored: 'opa@xn--bcher-kva.example' },
  { typed: 'neko@例え。テスト', stored: 'neko@xn--r8jz45g.xn--zckzah' },
])('$typed', ({ typed, stored }) => {
  it('registers, signs in either way and asks for another password', async () => {
    accounts += 1;
    const account = { username: `address-${accounts}`, email: typed, password: 'warm paw prints' };
    const registered = await server.visitor().post('/api/register', account);
    expect([registered.status, registered.body]).toMatchObject([201, { email: stored }]);
    for (const email of [typed, stored, stored.toUpperCase()]) {
      const login = await server.visitor().post('/api/login', { email, password: 'warm paw prints' });
      expect([email, login.status]).toEqual([email, 200]);
    }
    const again = { ...account, username: `another-${accounts}`, email: stored };
    expect((await server.visitor().post('/api/register', again)).status).toBe(409);
    expect((await server.visitor().post('/api/password/forgot', { email: typed })).status).toBe(202);
  });

  it('is a contact, an allowed sender, an invited person and a new address', async () => {
    const owner = await server.signUpAdmin();
    const contact = await owner.post('/api/contacts', { name: 'Oma', email: typed });
    expect([contact.status, contact.body]).toMatchObject([201, { email: stored }]);
    const json = { addresses: [typed, stored] };
    const senders = await owner.request('PUT', '/api/user/allowed-senders', { json });
    expect([senders.status, senders.body]).toEqual([200, { addresses: [stored] }]);
    const invitation = await owner.post('/api/admin/invitations', { email: `new-${typed}` });
    expect([invitation.status, invitation.body]).toMatchObject([201, { email: `new-${stored}` }]);
    const change = await owner.request('PATCH', '/api/user/email', { json: { email: `other-${typed}` } });
    expect(change.status).toBe(202);
    const pending = await owner.get('/api/user/email/change');
    expect(pending.body).toMatchObject({ pending: { email: `other-${stored}` } });
  });
});
