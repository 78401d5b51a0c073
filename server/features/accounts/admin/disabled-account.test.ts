import { beforeEach, describe, expect, it } from 'vitest';
import { memoriesOf } from '../../../testing/clients/album.ts';
import { addContact, addMemory } from '../../../testing/data/factories.ts';
import { inboundEmailOf, pushEmail, signedEmail, newPhoto } from '../../../testing/data/inbound-email.ts';
import {
  repliesTo,
  signUpSmsOwner,
  startSmsServer,
  type SmsOwner,
} from '../../../testing/data/inbound-sms.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startSmtpServer } from '../../../testing/fakes/smtp-server.ts';
import { startTwilioServer } from '../../../testing/fakes/twilio-server.ts';
import { findUser } from '../users/user-queries.ts';

let owner: SmsOwner;
let now = new Date('2026-06-01T12:00:00Z');

const twilio = await startTwilioServer();
const smtp = await startSmtpServer();
const server = await startSmsServer(twilio, {
  env: {
    ...smtp.env,
    PUBLIC_URL: 'http://mems.localhost',
    INBOUND_MAIL_DOMAIN: 'in.mems.example',
    INBOUND_MAIL_SECRET: 'x'.repeat(32),
  },
  overrides: { clock: { now: () => now } },
});
const admin = await server.signUpAdmin('keeper');
beforeEach(async () => {
  owner = await signUpSmsOwner(server, twilio);
});

const setDisabled = async (isDisabled: boolean) => {
  const json = { isDisabled };
  const { status } = await admin.request('PATCH', `/api/admin/users/${owner.userId}`, { json });
  expect(status).toBe(200);
};

async function subjects(): Promise<string[]> {
  await server.drainJobs();
  const toContact = (await smtp.emails()).filter(({ to }) => to === 'ingrid@family.example');
  return toContact.map(({ subject }) => subject);
}

async function signIn(): Promise<TestClient> {
  const client = server.visitor();
  const user = await findUser(server.context.db, owner.userId);
  const response = await client.post('/api/login', { email: user?.email, password: 'correct horse' });
  expect(response.status).toBe(200);
  return client;
}

describe('a disabled account', () => {
  it('shows its shared photos to no one, until it is enabled', async () => {
    const { id } = await addMemory(owner);
    const { url } = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
    const { pathname } = new URL(url);
    const statuses = () =>
      Promise.all(
        [pathname, `${pathname}/photo.jpg`].map(async (path) => (await server.visitor().get(path)).status),
      );
    expect(await statuses()).toEqual([200, 200]);
    await setDisabled(true);
    expect(await statuses()).toEqual([404, 404]);
    await setDisabled(false);
    expect(await statuses()).toEqual([200, 200]);
  });

  it('takes no photos by SMS, and answers once a day', async () => {
    await setDisabled(true);
    await owner.sendSmsAndWait({ body: 'Snow', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'UNDO' });
    const reply = 'This account is disabled. Ask the person who runs this album.';
    expect(repliesTo(twilio, owner.phone)).toEqual([reply]);
    await setDisabled(false);
    expect(await memoriesOf(await signIn())).toEqual([]);
  });

  it('bounces emails with photos', async () => {
    const to = await inboundEmailOf(owner);
    const raw = await signedEmail(server, { from: 'a@home.example', to, photos: [await newPhoto()] });
    const push = () => pushEmail(server, to, raw, { Authorization: `Bearer ${'x'.repeat(32)}` });
    const unknown = `${'0'.repeat(24)}@in.mems.example`;
    const bounced = await pushEmail(server, unknown, raw, { Authorization: `Bearer ${'x'.repeat(32)}` });
    await setDisabled(true);
    expect((await push()).status).toBe(bounced.status);
    await setDisabled(false);
    expect((await push()).status).toBe(202);
  });

  it('emails its contacts nothing, and what waited once it is enabled', async () => {
    smtp.received.length = 0;
    await addContact(owner);
    await addMemory(owner);
    await setDisabled(true);
    expect(await subjects()).toEqual([]);
    now = new Date(now.getTime() + 3 * 24 * 60 * 60 * 1000);
    expect(await subjects()).toEqual([]);
    await setDisabled(false);
    expect(await subjects()).toHaveLength(2);
  });
});
