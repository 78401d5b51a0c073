import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StorageUsage } from '#shared/transfers/upload';
import { inboundMessages } from '../../platform/db/schema/transfers/inbound-sms.ts';
import { addMemory, addPet, completeUpload, petForm, putPhoto } from '../../testing/data/factories.ts';
import { inboundEmailOf, newPhoto, pushEmail, storedEmails } from '../../testing/data/inbound-email.ts';
import { repliesTo, signUpSmsOwner, startSmsServer } from '../../testing/data/inbound-sms.ts';
import { file, multipart } from '../../testing/data/mime.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { objectsOf } from '../../testing/assertions/stored-objects.ts';
import { connectSmtp } from '../../testing/clients/smtp-client.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { startTwilioServer } from '../../testing/fakes/twilio-server.ts';
import { memoriesOf } from '../../testing/clients/album.ts';
import { ingestSmsJob } from '../inbound-sms/ingest-sms-job.ts';
import { startSmtpReceiver } from '../inbound-email/receiving/smtp-receiver.ts';

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
  server = await startTestServer({ env: ENV, overrides: { statfs } });
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

  it('tells beforehand what the account and the disk still have room for', async () => {
    const usage = async () => (await owner.get('/api/user/storage')).body as StorageUsage;
    const limitBytes = 10 * GIB;
    expect(await usage()).toEqual({ usedBytes: 0, limitBytes, freeDiskBytes: 45 * GIB });
    await ask();
    expect(await usage()).toMatchObject({ usedBytes: 1000 });
    const photo = await makePhoto();
    await addMemory(owner, { photo });
    expect((await usage()).usedBytes).toBeGreaterThanOrEqual(1000 + photo.length);
    disk = { ...AMPLE, free: 0 };
    expect(await usage()).toMatchObject({ freeDiskBytes: 0 });
  });

  it('makes no copies, neither for the owner nor for visitors nor in a PDF, until there is room again', async () => {
    const memory = await addMemory(owner);
    const { url } = (await owner.post(`/api/memories/${memory.id}/share`)).body as { url: string };
    const pdf = await owner.post('/api/flipbooks/pdf', { memoryIds: [memory.id] });
    expect(pdf.status).toBe(202);
    const { id: pdfId } = pdf.body as { id: string };
    const statuses = async () => [
      (await owner.get(`${memory.imageUrl}?w=800`)).status,
      (await server.visitor().get(`${new URL(url).pathname}/photo.jpg`)).status,
      ((await owner.get(`/api/flipbooks/pdf/${pdfId}`)).body as { status: string }).status,
    ];
    disk = { ...AMPLE, free: 0 };
    // More often than a job or a PDF is tried.
    for (let count = 0; count < 8; count++) await server.drainJobs();
    expect(await statuses()).toEqual([507, 507, 'making']);
    expect((await owner.get(`${memory.imageUrl}?w=400`)).status).toBe(200);
    disk = AMPLE;
    await server.drainJobs();
    const objects = await objectsOf(server, owner.userId, memory);
    expect(await objects.stored()).toHaveLength(5);
    expect(await statuses()).toEqual([200, 200, 'completed']);
  });

  it('takes no bytes for an upload that was requested before, but finishes what is stored', async () => {
    const photo = await makePhoto();
    const stored = await putPhoto(owner, photo);
    const request = { contentType: 'image/jpeg', size: photo.length };
    const { uploadURL } = (await owner.post('/api/objects/upload', request)).body as { uploadURL: string };
    // Of the 5 GB that new photos leave free, half are for this.
    disk = { ...AMPLE, free: 2.5 * GIB - 1 };
    const { pathname, search } = new URL(uploadURL);
    const headers = { 'Content-Type': 'image/jpeg' };
    const put = await owner.request('PUT', pathname + search, { body: photo, headers });
    expect([put.status, put.body]).toEqual([507, NO_ROOM]);
    const rejected = await completeUpload(owner, { uploadURL: stored });
    expect([rejected.status, rejected.body]).toEqual([507, NO_ROOM]);
    disk = { ...AMPLE, free: 2.6 * GIB };
    expect((await completeUpload(owner, { uploadURL: stored })).status).toBe(201);
  });

  it('rejects new pets and texts, but not likes and deletions', async () => {
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
    const ready = async () => {
      const { body } = await server.visitor().get('/api/health/ready');
      const { status, warnings } = body as { status: string; warnings: string[] };
      return [status, warnings.some((each) => each.startsWith('The disk is almost full'))];
    };
    expect(await ready()).toEqual(['ready', false]);
    disk = { ...AMPLE, free: 0 };
    expect(await ready()).toEqual(['ready', true]);
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

  it('is checked where the data, the embedded Postgres and the objects are', async () => {
    let fullFolder = '';
    const start = async (env: NodeJS.ProcessEnv) => {
      const folders = new Set<string>();
      const statfsOf = (folder: string) => {
        folders.add(folder);
        return Promise.resolve({
          bsize: 1,
          blocks: AMPLE.total,
          bavail: folder === fullFolder ? 0 : AMPLE.free,
        });
      };
      const started = await startTestServer({ env: { ...ENV, ...env }, overrides: { statfs: statfsOf } });
      const person = await started.signUp();
      const request = { contentType: 'image/jpeg', size: 1000 };
      return {
        folders,
        dataDir: await realpath(started.dataDir),
        ask: async () => (await person.post('/api/objects/upload', request)).status,
      };
    };

    const embedded = await start({ DATABASE_URL: '' });
    const { dataDir } = embedded;
    expect(await embedded.ask()).toBe(200);
    expect([...embedded.folders]).toEqual([dataDir, join(dataDir, 'postgres'), join(dataDir, 'objects')]);
    for (fullFolder of embedded.folders)
      expect([fullFolder, await embedded.ask()]).toEqual([fullFolder, 507]);

    // The URL is signed here: no bucket is asked.
    const bucket = { OBJECT_STORAGE: 's3', S3_BUCKET: 'photos', S3_ENDPOINT: 'http://127.0.0.1:1' };
    const external = await start({ ...bucket, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' });
    expect(await external.ask()).toBe(200);
    expect([...external.folders]).toEqual([external.dataDir]);
  }, 60_000);

  describe('and a text with photos', () => {
    let now = new Date();
    const startPhones = async () => {
      const twilio = await startTwilioServer();
      const overrides = { statfs, clock: { now: () => now } };
      const phones = await startSmsServer(twilio, { env: ENV, overrides });
      const sender = await signUpSmsOwner(phones, twilio);
      /** `drainJobs` would run a job that waits for ever. */
      const runJobs = async () => {
        for (const { ownerId, id } of await phones.context.db.select().from(inboundMessages))
          await ingestSmsJob.handle(phones.context, { ownerId, messageId: id });
      };
      return { phones, sender, runJobs, replies: () => repliesTo(twilio, sender.phone) };
    };

    it('accepts it, and adds its photos once there is room, however often it was tried', async () => {
      const { phones, sender, runJobs, replies } = await startPhones();
      disk = { ...AMPLE, free: 0 };
      expect((await sender.sendSms({ media: sender.photos(2) })).status).toBe(200);
      for (let attempt = 1; attempt <= 12; attempt++) await runJobs();
      expect([await memoriesOf(sender), replies()]).toEqual([[], []]);
      disk = AMPLE;
      await phones.drainJobs();
      expect(await memoriesOf(sender)).toHaveLength(2);
      expect(replies()).toEqual(['Added 2 photos. Reply UNDO to take them back.']);
    });

    it('answers after a day which photos it had no room for', async () => {
      const { phones, sender, runJobs, replies } = await startPhones();
      disk = { ...AMPLE, free: 0 };
      await sender.sendSms({ media: sender.photos(2) });
      await runJobs();
      now = new Date(now.getTime() + 25 * 60 * 60 * 1000);
      await phones.drainJobs();
      expect(replies()).toEqual([
        'No photo was added. There was no room for 2 photos. Please tell the person who runs this album, and send them again later.',
      ]);
      disk = AMPLE;
      await phones.drainJobs();
      expect(await memoriesOf(sender)).toEqual([]);
    });

    it('keeps an UNDO waiting for the photos before it', async () => {
      const { phones, sender, runJobs, replies } = await startPhones();
      await sender.sendSmsAndWait({ media: sender.photos(1) });
      disk = { ...AMPLE, free: 0 };
      await sender.sendSms({ media: sender.photos(1) });
      now = new Date(now.getTime() + 1000);
      await sender.sendSms({ body: 'UNDO' });
      now = new Date(now.getTime() + 20 * 60 * 60 * 1000);
      await runJobs();
      expect(await memoriesOf(sender)).toHaveLength(1);
      disk = AMPLE;
      await phones.drainJobs();
      expect(await memoriesOf(sender)).toHaveLength(1);
      expect(replies().at(-1)).toMatch(/^Took back 1 photo\./);
    });
  });
});
