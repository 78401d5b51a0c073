import { beforeEach, describe, expect, it } from 'vitest';
import { Contact, ContactList } from '#shared/album/contact';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addContact } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';

let owner: TestClient;

const server = await startTestServer({ env: { CONTACTS_PER_DAY: '3' } });
beforeEach(async () => {
  owner = await server.signUp();
});

const list = async (client = owner) => ContactList.parse((await client.get('/api/contacts')).body);
const patch = (id: string, json: object, client = owner) =>
  client.request('PATCH', `/api/contacts/${id}`, { json });

describe('GET /api/contacts', () => {
  it('lists the owner’s contacts, newest first, also paginated', async () => {
    for (const name of ['First', 'Second', 'Third'])
      await addContact(owner, { name, email: `${name}@x.example` });
    const names = (await list()).map(({ name }) => name);
    expect(names).toEqual(['Third', 'Second', 'First']);
    const page = await owner.get('/api/contacts?limit=2');
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
    expect((page.body as Contact[]).map(({ name }) => name)).toEqual(['Third', 'Second']);
    expect((await owner.get(next)).body).toMatchObject([{ name: 'First' }]);
    expect(await list(await server.signUp())).toEqual([]);
  });

  it('rejects a cursor from another list', async () => {
    expect((await owner.get('/api/contacts?cursor=WzFd')).status).toBe(422);
  });
});

describe('POST /api/contacts', () => {
  it('creates an active contact with the address as typed', async () => {
    const response = await owner.post('/api/contacts', {
      name: ' Oma Ingrid ',
      email: ' Ingrid@Family.example ',
      relationship: 'family',
    });
    expect(response.status).toBe(201);
    expect(Contact.parse(response.body)).toMatchObject({
      name: 'Oma Ingrid',
      email: 'Ingrid@Family.example',
      relationship: 'family',
      isActive: true,
      status: 'ok',
    });
    expect(await list()).toEqual([response.body]);
    expect(await addContact(owner, { email: 'b@x.example', relationship: '' })).toMatchObject({
      relationship: null,
    });
  });

  it('names missing and invalid fields', async () => {
    const responses = [
      await owner.post('/api/contacts', { email: 'a@x.example' }),
      await owner.post('/api/contacts', { name: ' ', email: 'unknown' }),
      await owner.post('/api/contacts', { name: 'A', email: 'a@x.example', relationship: 'dog' }),
      await owner.post('/api/contacts', { name: 'A', email: 'a@x.example\r\nBcc: b@x.example' }),
      await owner.post('/api/contacts', { name: 'A', email: 'a@x.example, b@x.example' }),
      await owner.post('/api/contacts', { name: 'x'.repeat(101), email: `a@${'x'.repeat(260)}.example` }),
    ];
    expect(responses.map(({ status, body }) => [status, (body as { fields: object }).fields])).toEqual([
      [422, { name: 'Name is required' }],
      [422, { name: 'Name is required', email: 'Please enter a valid email' }],
      [422, { relationship: 'Please choose a relationship from the list' }],
      [422, { email: 'Please enter a valid email' }],
      [422, { email: 'Please enter a valid email' }],
      [422, { name: 'Please keep names under 100 characters', email: 'Please enter a valid email' }],
    ]);
  });

  it('rejects a duplicate address per owner, case-insensitively and concurrently', async () => {
    const responses = await Promise.all(
      ['a@x.example', 'A@X.example'].map((email) => owner.post('/api/contacts', { name: 'A', email })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const rejected = responses.find(({ status }) => status === 409);
    expect(rejected?.body).toMatchObject({ fields: { email: 'You already have a contact with this email' } });
    await addContact(await server.signUp(), { email: 'a@x.example' });
  });

  it('creates one contact for repeated requests with one idempotency key, also concurrent ones', async () => {
    const send = (name = 'A') =>
      owner.post('/api/contacts', { name, email: 'a@x.example' }, { 'Idempotency-Key': 'key' });
    const responses = [...(await Promise.all([send(), send(), send()])), await send()];
    for (const response of responses)
      expect([response.status, response.body]).toEqual([201, responses[0]?.body]);
    expect((await send('B')).status).toBe(422);
    expect(await list()).toHaveLength(1);
  });

  it('limits new contacts per day, not counting rejected or repeated requests', async () => {
    const post = (email: string, headers = {}) => owner.post('/api/contacts', { name: 'A', email }, headers);
    const key = { 'Idempotency-Key': 'key' };
    await Promise.all([post('a@x.example', key), post('a@x.example', key), post('a@x.example', key)]);
    await post('a@x.example');
    await post('b@x.example');
    expect((await post('c@x.example')).status).toBe(201);
    const rejected = await post('d@x.example');
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect((await post('a@x.example', key)).status).toBe(201);
  });
});

describe('PATCH /api/contacts/:id', () => {
  it('sets isActive', async () => {
    const { id } = await addContact(owner);
    expect((await patch(id, { isActive: false })).body).toMatchObject({ id, isActive: false });
    expect((await patch(id, {})).body).toMatchObject({ id, isActive: false });
    expect((await patch(id, { isActive: true })).body).toMatchObject({ id, isActive: true });
    expect((await patch(id, { isActive: 'yes' })).status).toBe(422);
  });

  it('is 404 for another user', async () => {
    const { id } = await addContact(owner);
    expect((await patch(id, { isActive: false }, await server.signUp())).status).toBe(404);
    expect(await list()).toMatchObject([{ isActive: true }]);
  });
});

describe('DELETE /api/contacts/:id', () => {
  it('deletes the contact permanently, and no other user’s', async () => {
    const { id } = await addContact(owner);
    const remove = (client: TestClient) => client.request('DELETE', `/api/contacts/${id}`);
    expect((await remove(await server.signUp())).status).toBe(404);
    expect([(await remove(owner)).status, (await remove(owner)).status]).toEqual([204, 404]);
    expect(await list()).toEqual([]);
  });
});
