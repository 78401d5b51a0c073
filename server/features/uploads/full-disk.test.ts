import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMemory, addPet, completeUpload, petForm, putPhoto } from '../../testing/factories.ts';
import { inboundEmailOf, newPhoto, pushEmail, storedEmails } from '../../testing/inbound-email.ts';
import { signUpSmsOwner, startSmsServer } from '../../testing/inbound-sms.ts';
import { file, multipart } from '../../testing/mime.ts';
import { makePhoto } from '../../testing/photos.ts';
import { connectSmtp } from '../../testing/smtp-client.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { startTwilioServer } from '../../testing/twilio-server.ts';
import { memoriesOf } from '../../testing/album.ts';
import { startSmtpReceiver } from '../inbound-email/smtp-receiver.ts';

const GIB = 1024 ** 3;
const AMPLE = { total: 100 * GIB, free: 50 * GIB };
const NO_ROOM = {
  message: 'There is no room for more at the moment. Please tell the person who runs this album.',
};

let disk = AMPLE;
const statfs = () => Promise.resolve({ bsize: 1, blocks: disk.total, bavail: disk.free });
const ENV = { MIN_FREE_DISK_GB: '1', MIN_FREE_DISK_PERCENT: '5' };

let server: TestServer;
let owner: TestClient & { userId: string };

beforeAll(async () => {
  server = await startTestServer({
    env: ENV,
    // The system of the tests may forbid isolation, which adds a warning.
    overrides: { statfs, canIsolate: () => Promise.resolve(true) },
  });
});
beforeEach(async () => {
  disk = AMPLE;
  owner = await server.signUp();
});

const ask = () => owner.post('/api/objects/upload', { contentType: 'image/jpeg', size: 1000 });

describe('a disk that is almost full', () => {
  it.each([
    ['less than 1 GB', { total: 10 * GIB, free: GIB - 1 }, 507],
    ['less than 5 %', { total: 100 * GIB, free: 5 * GIB - 1 }, 507],
    ['1 GB and 5 %', { total: 20 * GIB, free: GIB }, 200],
  ])('with %s free answers a new upload with its message', async (_name, state, status) => {
    disk = state;
    const response = await ask();
    expect(response.status).toBe(status);
    if (status === 507) expect(response.body).toEqual(NO_ROOM);
  });

  it('takes no bytes for an upload that was requested before, but finishes what is stored', async () => {
    const photo = await makePhoto();
    const stored = await putPhoto(owner, photo);
    const request = { contentType: 'image/jpeg', size: photo.length };
    const { uploadURL } = (await owner.post('/api/objects/upload', request)).body as { uploadURL: string };
    disk = { ...AMPLE, free: 0 };
    const { pathname, search } = new URL(uploadURL);
    const headers = { 'Content-Type': 'image/jpeg' };
    const put = await owner.request('PUT', pathname + search, { body: photo, headers });
    expect([put.status, put.body]).toEqual([507, NO_ROOM]);
    expect((await completeUpload(owner, { uploadURL: stored })).status).toBe(201);
  });

  it('refuses new pets and texts, but not likes and deletions', async () => {
    const pet = await addPet(owner);
    const memory = await addMemory(owner);
    disk = { ...AMPLE, free: 0 };
    const edit = (json: object) => owner.request('PATCH', `/api/memories/${memory.id}`, { json });
    const form = petForm({ name: 'Rex', species: 'dog' });
    expect((await owner.request('POST', '/api/pets', { body: form })).status).toBe(507);
    expect((await owner.request('PATCH', `/api/pets/${pet.id}`, { body: form })).status).toBe(507);
    expect((await edit({ caption: 'longer' })).status).toBe(507);
    expect((await edit({ isLiked: true })).status).toBe(200);
    expect((await owner.request('DELETE', `/api/memories/${memory.id}`)).status).toBe(204);
    expect((await owner.request('DELETE', `/api/memories/deleted/${memory.id}`)).status).toBe(204);
    expect((await owner.request('DELETE', `/api/pets/${pet.id}`)).status).toBe(204);
  });

  it('is a warning of the readiness check, which stays ready', async () => {
    const ready = async () => (await server.visitor().get('/api/health/ready')).body;
    expect(await ready()).toMatchObject({ status: 'ready', warnings: [] });
    disk = { ...AMPLE, free: 0 };
    expect(await ready()).toMatchObject({
      status: 'ready',
      warnings: [expect.stringContaining('The disk is almost full')],
    });
  });

  it('makes mail servers and providers try again later, and loses no email', async () => {
    const smtpEnv = { INBOUND_MAIL_DOMAIN: 'in.mems.example', INBOUND_SMTP_PORT: '0' };
    const mailed = await startTestServer({ env: { ...ENV, ...smtpEnv }, overrides: { statfs } });
    const email = multipart('mixed', [file((await newPhoto()).bytes)], { headers: { Subject: 'At sea' } });
    const receiver = await startSmtpReceiver(mailed.context);
    if (!receiver) throw new Error('No mail is received');
    const smtp = await connectSmtp(receiver.port);
    const pushed = await inboundEmailOf(owner);
    const send = async () => (await smtp.send({ from: 'a@b.example', to: [to], body: email })).at(-1);
    const to = await inboundEmailOf(await mailed.signUp());
    disk = { ...AMPLE, free: 0 };
    expect((await pushEmail(server, pushed, email)).status).toBe(507);
    expect(await send()).toMatch(/^452 /);
    expect(await storedEmails(server)).toEqual([]);
    disk = AMPLE;
    expect((await pushEmail(server, pushed, email)).status).toBe(202);
    expect(await send()).toMatch(/^250 /);
    await smtp.end();
    await receiver.close();
  });

  it('makes Twilio deliver a text again, and adds the photos of one accepted before', async () => {
    const twilio = await startTwilioServer();
    const phones = await startSmsServer(twilio, { env: ENV, overrides: { statfs } });
    const sender = await signUpSmsOwner(phones, twilio);
    expect((await sender.sendSms({ media: sender.photos(1) })).status).toBe(200);
    disk = { ...AMPLE, free: 0 };
    expect((await sender.sendSms({ media: sender.photos(1) })).status).toBe(507);
    await phones.drainJobs();
    expect(await memoriesOf(sender)).toHaveLength(1);
  });
});
