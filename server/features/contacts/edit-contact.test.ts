import PostalMime, { type Email } from 'postal-mime';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ContactList } from '#shared/contact';
import { addContact, addMemory, addPet } from '../../testing/factories.ts';
import { startSmtpServer, type TestSmtpServer } from '../../testing/smtp-server.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const OLD = 'ingird@family.example';
const NEW = 'ingrid@family.example';

let smtp: TestSmtpServer;
let server: TestServer;
let owner: TestClient & { userId: string };

beforeAll(async () => {
  smtp = await startSmtpServer();
  const address = { PUBLIC_URL: 'https://mems.example', MAIL_FROM: 'album@mems.example' };
  server = await startTestServer({ env: { ...address, SMTP_URL: smtp.url, CONTACTS_PER_DAY: '5' } });
});

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

type ReceivedMail = Email & { recipient: string | undefined };
const isContactMail = ({ recipient }: ReceivedMail) => recipient?.endsWith('@family.example');

/** To contacts, in the order in which they came; none comes a second time. */
async function takeMails(): Promise<ReceivedMail[]> {
  await server.drainJobs();
  const mails = await Promise.all(
    smtp.received
      .splice(0)
      .map(async ({ mime, to }) => ({ ...(await PostalMime.parse(mime)), recipient: to[0] })),
  );
  return mails.filter(isContactMail);
}
/** Each mail by its recipient and what it is about. */
async function takeSubjects() {
  const mails = await takeMails();
  return mails.map(({ recipient, subject }) => `${recipient}: ${subject?.replace(/^\S+ /, '')}`);
}
const pathIn = (mail: ReceivedMail | undefined, page: string) =>
  new RegExp(`/${page}/[\\w-]+`).exec(mail?.text ?? '')?.[0] ?? '';

describe('editing a contact', () => {
  it('changes the name, the relationship and the spelling of the email, and nothing that was not sent', async () => {
    const { id } = await addContact(owner, { name: 'Ingird', email: NEW, relationship: 'friend' });
    await takeMails();
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

  it('names what is wrong, and changes nothing then', async () => {
    const contact = await addContact(owner);
    const answers = [
      await patch(contact.id, { name: ' ' }),
      await patch(contact.id, { name: 'Jo', email: 'nobody', relationship: 'dog' }),
    ];
    expect(answers.map(({ status, body }) => [status, (body as { fields: object }).fields])).toEqual([
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

  it('refuses an address that another contact has, whatever its case', async () => {
    await addContact(owner, { email: NEW });
    const { id } = await addContact(owner, { email: OLD });
    const refused = await patch(id, { name: 'Jo', email: NEW.toUpperCase() });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { fields: { email: 'You already have a contact with this email' } },
    ]);
    expect((await list())[0]).toMatchObject({ name: 'Oma Ingrid', email: OLD });
  });

  it('lets one of two have an address when both ask at the same moment, also when they exchange theirs', async () => {
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

  it('keeps both of two changes of different fields at the same moment', async () => {
    const { id } = await addContact(owner, { email: OLD });
    await Promise.all([
      patch(id, { name: 'Ingrid' }),
      patch(id, { email: NEW }),
      patch(id, { relationship: 'other' }),
    ]);
    expect(await list()).toMatchObject([{ name: 'Ingrid', email: NEW, relationship: 'other' }]);
  });

  it('counts another address as a new contact of the day, and what fails not at all', async () => {
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

describe('another address of a contact', () => {
  it('is welcomed and gets what was not sent yet, and the old one gets nothing more', async () => {
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

  it('gets a mail that waited to be tried again, and not what the old one got', async () => {
    const { id } = await addContact(owner, { email: OLD });
    await addMemory(owner, { caption: 'Sent' });
    await takeMails();
    smtp.refuseNext('421 Come back later');
    await addMemory(owner, { caption: 'Delayed' });
    expect(await takeSubjects()).toEqual([]);
    await patch(id, { email: NEW });
    const mails = await takeMails();
    expect(mails.map(({ recipient, html }) => [recipient, /Delayed|Sent/.exec(html ?? '')?.[0]])).toEqual([
      [NEW, undefined],
      [NEW, 'Delayed'],
    ]);
  });

  it('is tried again where the old one was refused', async () => {
    smtp.refuseNext('550 No such person');
    const { id } = await addContact(owner, { email: OLD });
    await takeMails();
    expect(await list()).toMatchObject([{ status: 'undeliverable' }]);
    expect((await patch(id, { name: 'Ingrid', email: NEW })).body).toMatchObject({
      status: 'ok',
      isActive: true,
    });
    expect(await takeSubjects()).toEqual([`${NEW}: added you`]);
  });

  it('has links of its own: those of the old one change nothing for it, and show no photo any longer', async () => {
    const pet = await addPet(owner);
    const { id } = await addContact(owner, { email: OLD });
    await addMemory(owner, { petId: pet.id });
    const old = (await takeMails()).at(-1);
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
    const mails = await takeMails();
    expect(mails.map(({ recipient }) => recipient)).toEqual([NEW, NEW]);
    expect((await visitor.get(pathIn(mails.at(-1), 'p'))).status).toBe(200);
    expect((await visitor.post(pathIn(mails.at(-1), 'unsubscribe'))).status).toBe(200);
    expect(await list()).toMatchObject([{ status: 'unsubscribed' }]);
  });

  it('leaves behind that the old one unsubscribed, and stays so where it has unsubscribed itself', async () => {
    const { id } = await addContact(owner, { email: OLD });
    const [welcome] = await takeMails();
    await server.visitor().post(pathIn(welcome, 'unsubscribe'));
    expect(await list()).toMatchObject([{ status: 'unsubscribed', isActive: false }]);
    expect((await patch(id, { email: NEW })).body).toMatchObject({ status: 'ok', isActive: true });
    expect(await takeSubjects()).toEqual([`${NEW}: added you`]);
    const refused = await patch(id, { email: OLD, isActive: true });
    expect(refused.status).toBe(409);
    expect((await patch(id, { email: OLD })).body).toMatchObject({ status: 'unsubscribed', isActive: false });
    await addMemory(owner);
    expect(await takeSubjects()).toEqual([]);
  });

  it('stays switched off, and is welcomed once, as soon as it is switched on', async () => {
    const { id } = await addContact(owner, { email: OLD });
    await takeMails();
    await patch(id, { isActive: false });
    expect((await patch(id, { email: NEW })).body).toMatchObject({ isActive: false });
    expect(await takeSubjects()).toEqual([]);
    await patch(id, { isActive: true });
    expect(await takeSubjects()).toEqual([`${NEW}: added you`]);
    for (const email of [OLD, NEW]) await patch(id, { email });
    expect(await takeSubjects()).toEqual([]);
  });
});
