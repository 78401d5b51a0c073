import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ContactList } from '#shared/contact';
import { sendMailsJobDefinition, groupDigestsJobDefinition } from '../jobs/job-catalogue.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../testing/factories.ts';
import { makePhoto } from '../testing/photos.ts';
import { startSmtpServer, type TestSmtpServer } from '../testing/smtp-server.ts';
import type { TestClient } from '../testing/test-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let smtp: TestSmtpServer;
/** Each photo goes out by itself. */
let single: TestServer;
/** Photos that come together go out together. */
let grouping: TestServer;
let now = new Date('2026-06-01T12:00:00Z');
const passMinutes = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

type Owner = TestClient & { userId: string };

beforeAll(async () => {
  smtp = await startSmtpServer();
  const overrides = { clock: { now: () => now } };
  const env = {
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'https://mems.example',
    MAIL_FROM: 'album@mems.example',
    UPLOADS_PER_MINUTE: '1000',
    CONTACTS_PER_DAY: '1000',
    MAILS_PER_HOUR: '10',
  };
  single = await startTestServer({ overrides, env: { ...env, MAIL_GROUPING_SECONDS: '0' } });
  grouping = await startTestServer({ overrides, env });
});

beforeEach(() => {
  smtp.received.length = 0;
});

/** Whose address is verified, and who has contacts of these names, welcomed already. */
async function signUp(server: TestServer, ...names: string[]): Promise<Owner> {
  const owner = await server.signUp();
  await server.context.db.execute(`update users set email_verified_at = now(), first_name = 'Mara'
    where id = '${owner.userId}'`);
  for (const name of names) await addContact(owner, { name, email: `${name.toLowerCase()}@family.example` });
  await server.drainJobs();
  smtp.received.length = 0;
  return owner;
}

/** What comes by itself every minute. */
async function sendDueMails({ context: { db, jobs }, drainJobs }: TestServer): Promise<void> {
  await db.transaction((tx) => jobs.enqueue(tx, sendMailsJobDefinition, {}));
  await drainJobs();
}

async function received(): Promise<(Email & { recipient: string | undefined })[]> {
  return Promise.all(
    smtp.received.map(async ({ mime, to }) => ({ ...(await PostalMime.parse(mime)), recipient: to[0] })),
  );
}
const subjects = async () => (await received()).map(({ subject }) => subject);
const recipients = async () => (await received()).map(({ recipient }) => recipient).sort();

describe('a new memory', () => {
  it('reaches each active contact, once', async () => {
    const owner = await signUp(single, 'Ingrid', 'Jo', 'Kim');
    const [kim] = ContactList.parse((await owner.get('/api/contacts')).body);
    await owner.request('PATCH', `/api/contacts/${kim?.id}`, { json: { isActive: false } });
    const pet = await addPet(owner, { name: 'Rex' });
    await addMemory(owner, { petId: pet.id, caption: 'First snow' });
    await single.drainJobs();
    await sendDueMails(single);
    expect(await recipients()).toEqual(['ingrid@family.example', 'jo@family.example']);
    expect(await subjects()).toEqual(Array(2).fill('Mara has shared a new photo of Rex'));
    const [mail] = await received();
    expect(mail?.attachments).toMatchObject([{ mimeType: 'image/jpeg', disposition: 'inline' }]);
    expect(mail?.html).toContain('First snow');
  });

  it('says nothing of a pet where there is none', async () => {
    const owner = await signUp(single, 'Ingrid');
    await addMemory(owner);
    await single.drainJobs();
    expect(await subjects()).toEqual(['Mara has shared a new photo']);
  });
});
