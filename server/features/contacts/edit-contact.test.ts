import PostalMime, { type Email } from 'postal-mime';
import { beforeEach, describe, expect, it } from 'vitest';
import { ContactList } from '#shared/album/contact';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addContact, addMemory, addPet } from '../../testing/data/factories.ts';
import { startSmtpServer } from '../../testing/fakes/smtp-server.ts';
import { startTestServer } from '../../testing/test-server.ts';

const OLD = 'ingird@family.example';
const NEW = 'ingrid@family.example';

let owner: TestClient & { userId: string };

const smtp = await startSmtpServer();
const address = { PUBLIC_URL: 'https://mems.example', MAIL_FROM: 'album@mems.example' };
const server = await startTestServer({ env: { ...address, SMTP_URL: smtp.url, CONTACTS_PER_DAY: '5' } });

beforeEach(async () => {
  smtp.acceptAll();
  owner = await server.signUp();
  await server.context.db.execute(`update users set email_verified_at = now() where id = '${owner.userId}'`);
  await server.drainJobs();
  smtp.received.length = 0;
});

const patch = (id: string, json: object, client: TestClient = owner) =>
  client.request('PATCH', `/api/contacts/${id}`, { json });
const list = async () => ContactList.parse((await owner.get('/api/contacts')).body);

type ReceivedEmail = Email & { recipient: string | undefined };
const isContactEmail = ({ recipient }: ReceivedEmail) => recipient?.endsWith('@family.example');

/** The emails to contacts since the last call, in the order in which they were received. */
async function takeEmails(): Promise<ReceivedEmail[]> {
  await server.drainJobs();
  const emails = await Promise.all(
    smtp.received
      .splice(0)
      .map(async ({ mime, to }) => ({ ...(await PostalMime.parse(mime)), recipient: to[0] })),
  );
  return emails.filter(isContactEmail);
}
/** As `recipient: subject`, without the owner's name. */
async function takeSubjects() {
  const emails = await takeEmails();
  return emails.map(({ recipient, subject }) => `${recipient}: ${subject?.replace(/^\S+ /, '')}`);
}
const pathIn = (email: ReceivedEmail | undefined, page: string) =>
  new RegExp(`/${page}/[\\w-]+`).exec(email?.text ?? '')?.[0] ?? '';

describe('editing a contact', () => {
  it('changes name, relationship and the case of the email, and leaves absent fields unchanged', async () => {
    const { id } = await addContact(owner, { name: 'Ingird', email: NEW, relationship: 'friend' });
    await takeEmails();
    expect((await patch(id, { name: ' Ingrid ' })).body).toMatchObject({
      name: 'Ingrid',
      email: NEW,
      relationship: 'friend',
      isActive: true,
    });
    expect((await patch(id, { relationship: '', isActive: false })).body).toMatchObject({
      name: 'Ingrid',
      relationship: null,
      isActive: false,
    });
    const respelled = await patch(id, { email: 'Ingrid@Family.example' });
    expect(respelled.body).toMatchObject({ email: 'Ingrid@Family.example', isActive: false });
    expect(await list()).toEqual([respelled.body]);
    expect(await takeSubjects()).toEqual([]);
  });

  it('names invalid fields and changes nothing', async () => {
    const contact = await addContact(owner);
    const responses = [
      await patch(contact.id, { name: ' ' }),
      await patch(contact.id, { name: 'Jo', email: 'unknown', relationship: 'dog' }),
    ];
    expect(responses.map(({ status, body }) => [status, (body as { fields: object }).fields])).toEqual([
      [422, { name: 'Name is required' }],
      [
        422,
        { email: 'Please enter a valid email', relationship: 'Please choose a relationship from the list' },
      ],
    ]);
    expect(await list()).toEqual([contact]);
  });

  it('is 404 for another user', async () => {
    const contact = await addContact(owner);
    const stranger = await server.signUp();
    expect((await patch(contact.id, { name: 'Jo', email: NEW }, stranger)).status).toBe(404);
    expect(await list()).toEqual([contact]);
  });

  it('rejects an address of another contact, case-insensitively', async () => {
    await addContact(owner, { email: NEW });
    const { id } = await addContact(owner, { email: OLD });
    const rejected = await patch(id, { name: 'Jo', email: NEW.toUpperCase() });
    expect([rejected.status, rejected.body]).toMatchObject([
      409,
      { fields: { email: 'You already have a contact with this email' } },
    ]);
    expect((await list())[0]).toMatchObject({ name: 'Oma Ingrid', email: OLD });
  });

  it('handles concurrent changes to one address, and concurrent swaps, without a deadlock', async () => {
    const a = await addContact(owner, { email: 'a@family.example' });
    const b = await addContact(owner, { email: 'b@family.example' });
    const same = await Promise.all([a, b].map(({ id }) => patch(id, { email: NEW })));
    expect(same.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [first, second] = await list();
    const swapped = await Promise.all([
      patch(first!.id, { email: second!.email }),
      patch(second!.id, { email: first!.email }),
    ]);
    expect(swapped.map(({ status }) => status)).toEqual([409, 409]);
  });

  it('keeps concurrent changes of different fields', async () => {
    const { id } = await addContact(owner, { email: OLD });
    await Promise.all([
      patch(id, { name: 'Ingrid' }),
      patch(id, { email: NEW }),
      patch(id, { relationship: 'other' }),
    ]);
    expect(await list()).toMatchObject([{ name: 'Ingrid', email: NEW, relationship: 'other' }]);
  });

  it('counts a new address towards the daily limit, unless the change fails', async () => {
    const { id } = await addContact(owner, { email: 'a@family.example' });
    await addContact(owner, { email: 'b@family.example' });
    expect((await patch(id, { email: 'b@family.example' })).status).toBe(409);
    for (const email of ['c@family.example', 'd@family.example', 'e@family.example'])
      expect((await patch(id, { email })).status).toBe(200);
    expect((await patch(id, { email: 'f@family.example' })).status).toBe(429);
    expect((await patch(id, { name: 'Jo', email: 'E@family.example' })).status).toBe(200);
    expect((await owner.post('/api/contacts', { name: 'A', email: 'g@family.example' })).status).toBe(429);
  });
});

describe('a new address of a contact', () => {
  it('gets the welcome email and all pending photos, and the old address nothing more', async () => {
    const { id } = await addContact(owner, { email: OLD });
    await addMemory(owner, { caption: 'Not sent yet' });
    expect((await patch(id, { email: NEW })).body).toMatchObject({
      email: NEW,
      isActive: true,
      status: 'ok',
    });
    expect(await takeSubjects()).toEqual([`${NEW}: added you`, `${NEW}: has shared a new photo`]);
    await addMemory(owner);
    expect(await takeSubjects()).toEqual([`${NEW}: has shared a new photo`]);
  });

  it('gets a delayed email, but none that the old address has received', async () => {
    const { id } = await addContact(owner, { email: OLD });
    await addMemory(owner, { caption: 'Sent' });
    await takeEmails();
    smtp.rejectNext('421 Come back later');
    await addMemory(owner, { caption: 'Delayed' });
    expect(await takeSubjects()).toEqual([]);
    await patch(id, { email: NEW });
    const emails = await takeEmails();
    expect(emails.map(({ recipient, html }) => [recipient, /Delayed|Sent/.exec(html ?? '')?.[0]])).toEqual([
      [NEW, undefined],
      [NEW, 'Delayed'],
    ]);
  });

  it('is tried although the old address was rejected', async () => {
    smtp.rejectNext('550 No such person');
    const { id } = await addContact(owner, { email: OLD });
    await takeEmails();
    expect(await list()).toMatchObject([{ status: 'undeliverable' }]);
    expect((await patch(id, { name: 'Ingrid', email: NEW })).body).toMatchObject({
      status: 'ok',
      isActive: true,
    });
    expect(await takeSubjects()).toEqual([`${NEW}: added you`]);
  });

  it('has new links: the old address’s links stop working for it', async () => {
    const pet = await addPet(owner);
    const { id } = await addContact(owner, { email: OLD });
    await addMemory(owner, { petId: pet.id });
    const old = (await takeEmails()).at(-1);
    const [stop, preferences, photo] = ['unsubscribe', 'preferences', 'p'].map((page) => pathIn(old, page));
    const visitor = server.visitor();
    const body = `frequency=weekly&offered=${pet.id}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await visitor.request('POST', preferences!, { body, headers })).status).toBe(200);
    expect((await visitor.get(photo!)).status).toBe(200);

    await patch(id, { email: NEW });
    expect((await visitor.get(photo!)).status).toBe(404);
    expect((await visitor.post(stop!)).status).toBe(200);
    expect(await list()).toMatchObject([{ email: NEW, status: 'ok', isActive: true }]);
    await addMemory(owner, { petId: pet.id });
    const emails = await takeEmails();
    expect(emails.map(({ recipient }) => recipient)).toEqual([NEW, NEW]);
    expect((await visitor.get(pathIn(emails.at(-1), 'p'))).status).toBe(200);
    expect((await visitor.post(pathIn(emails.at(-1), 'unsubscribe'))).status).toBe(200);
    expect(await list()).toMatchObject([{ status: 'unsubscribed' }]);
  });

  it('does not inherit an unsubscribe, but keeps its own', async () => {
    const { id } = await addContact(owner, { email: OLD });
    const [welcome] = await takeEmails();
    await server.visitor().post(pathIn(welcome, 'unsubscribe'));
    expect(await list()).toMatchObject([{ status: 'unsubscribed', isActive: false }]);
    expect((await patch(id, { email: NEW })).body).toMatchObject({ status: 'ok', isActive: true });
    expect(await takeSubjects()).toEqual([`${NEW}: added you`]);
    const rejected = await patch(id, { email: OLD, isActive: true });
    expect(rejected.status).toBe(409);
    expect((await patch(id, { email: OLD })).body).toMatchObject({ status: 'unsubscribed', isActive: false });
    await addMemory(owner);
    expect(await takeSubjects()).toEqual([]);
  });

  it('stays inactive, and gets one welcome email when it is activated', async () => {
    const { id } = await addContact(owner, { email: OLD });
    await takeEmails();
    await patch(id, { isActive: false });
    expect((await patch(id, { email: NEW })).body).toMatchObject({ isActive: false });
    expect(await takeSubjects()).toEqual([]);
    await patch(id, { isActive: true });
    expect(await takeSubjects()).toEqual([`${NEW}: added you`]);
    for (const email of [OLD, NEW]) await patch(id, { email });
    expect(await takeSubjects()).toEqual([]);
  });
});
