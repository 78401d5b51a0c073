import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/caricature';
import { addContact, addMemory, addPet, completeUpload, putPhoto } from '../../testing/factories.ts';
import { inboundEmailOf, pushEmail, sendEmail } from '../../testing/inbound-email.ts';
import { newNumber, startSmsServer, verifyNumber, postSms } from '../../testing/inbound-sms.ts';
import { waitForBlockedConnection } from '../../testing/lock-waits.ts';
import { file, multipart } from '../../testing/mime.ts';
import { makePhoto } from '../../testing/photos.ts';
import type { TestClient } from '../../testing/test-client.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { startTwilioServer, type TestTwilioServer } from '../../testing/twilio-server.ts';

let twilio: TestTwilioServer;
let server: TestServer;
let database: pg.Client;
let admin: TestClient & { userId: string };

beforeAll(async () => {
  twilio = await startTwilioServer();
  server = await startSmsServer(twilio, { env: { PUBLIC_URL: 'http://mems.localhost' } });
  database = new pg.Client(server.databaseUrl);
  await database.connect();
  admin = await server.signUp('keeper');
  await database.query('update users set is_admin = true, email_verified_at = now()');
});
afterAll(() => database.end());

/** Counts the rows of each table with an owner. */
async function countRows(ownerId: string): Promise<Record<string, number>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'owner_id' and table_schema = 'public' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::int from "${name}" where owner_id = $1`,
      [ownerId],
    );
    counts[name] = rows[0]?.count ?? 0;
  }
  return counts;
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(server.dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

async function jobsWith(value: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int from pgboss.job where data::text like '%' || $1 || '%'`,
    [value],
  );
  return rows[0]?.count ?? 0;
}

async function fill(owner: TestClient & { userId: string }): Promise<{ phone: string; shareUrl: string }> {
  const phone = newNumber();
  await verifyNumber(twilio, owner, phone);
  const pet = await addPet(owner, {}, await makePhoto({ width: 90 }));
  await addContact(owner);
  const memory = await addMemory(owner, { petId: pet.id, caption: 'First snow' });
  const { url } = (await owner.post(`/api/memories/${memory.id}/share`)).body as { url: string };
  await owner.post('/api/caricatures/consent');
  const asked = await owner.post('/api/caricatures/generate', { petId: pet.id, imageUrl: memory.imageUrl });
  expect((asked.body as Caricature).status).toBe('generating');
  await owner.post('/api/flipbooks/pdf', { memoryIds: [memory.id] });
  await server.drainJobs();
  await owner.request('PUT', '/api/user/allowed-senders', { json: { addresses: ['oma@family.example'] } });
  const key = { 'Idempotency-Key': 'key' };
  await owner.post('/api/contacts', { name: 'Opa', email: 'opa@family.example' }, key);
  await sendEmail(server, {
    ...owner,
    email: 'owner@mems.example',
    inboundEmail: await inboundEmailOf(owner),
  });
  const to = await inboundEmailOf(owner);
  const raw = multipart('mixed', [file(await makePhoto({ width: 91 }))], {
    headers: { From: 'who@else.example' },
  });
  await pushEmail(server, to, raw);
  await postSms(server, {
    from: phone,
    body: 'Rex: snow',
    media: [twilio.media.attach(await makePhoto(), 'image/jpeg')],
  });
  await server.drainJobs();
  await admin.request('PATCH', `/api/admin/users/${owner.userId}`, { json: { isAdmin: true } });
  await owner.post('/api/admin/invites', {});
  await admin.post(`/api/admin/users/${owner.userId}/password-reset`);
  await owner.post('/api/sms/send-verification', { phoneNumber: newNumber() });
  // Bytes that no memory refers to.
  await putPhoto(owner, await makePhoto({ width: 92 }));
  return { phone, shareUrl: url };
}

const remove = (id: string, username: string) =>
  admin.request('DELETE', `/api/admin/users/${id}`, { json: { username } });

describe('deleting a person', () => {
  it('removes the rows of every table, sessions, jobs and stored objects, and nothing of others', async () => {
    const neighbor = await server.signUp('neighbor');
    await addMemory(neighbor, { photo: await makePhoto({ width: 93 }) });
    await server.drainJobs();
    const othersRows = await countRows(neighbor.userId);
    const othersFiles = await storedFiles();
    const owner = await server.signUp('owner');
    const { phone, shareUrl } = await fill(owner);
    const before = await countRows(owner.userId);
    expect(Object.keys(before).filter((table) => before[table] === 0)).toEqual([]);
    expect((await storedFiles()).length).toBeGreaterThan(othersFiles.length + 5);
    await addMemory(owner);
    expect(await jobsWith(owner.userId)).toBeGreaterThan(0);

    expect((await remove(owner.userId, 'owner')).status).toBe(204);

    const after = await countRows(owner.userId);
    expect(Object.values(after).every((count) => count === 0)).toBe(true);
    expect([await jobsWith(owner.userId), await jobsWith(phone)]).toEqual([0, 0]);
    expect((await owner.get('/api/user')).status).toBe(401);
    expect((await server.visitor().get(new URL(shareUrl).pathname)).status).toBe(404);
    const signIn = { email: 'owner@mems.example', password: 'correct horse' };
    expect((await server.visitor().post('/api/login', signIn)).status).toBe(401);
    await server.drainJobs();
    expect((await storedFiles()).sort()).toEqual(othersFiles.sort());
    expect(await countRows(neighbor.userId)).toEqual(othersRows);
    // The address is free again.
    expect((await server.signUp('owner')).userId).not.toBe(owner.userId);
  });

  it('requires the username, and is 404 the second time', async () => {
    const { userId } = await server.signUp('precious');
    const wrong = await remove(userId, 'precius');
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { fields: { username: expect.any(String) as string } },
    ]);
    expect((await admin.request('DELETE', `/api/admin/users/${userId}`, { json: {} })).status).toBe(422);
    const answers = await Promise.all([remove(userId, 'precious'), remove(userId, 'precious')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, expect.any(Number)]);
    expect((await remove(userId, 'precious')).status).toBe(404);
  });

  it('while a photo is being added leaves nothing of it', async () => {
    const owner = await server.signUp('busy');
    const files = await storedFiles();
    const uploadURL = await putPhoto(owner, await makePhoto({ width: 94 }));
    // Holds the user, as the transaction of another upload does.
    await database.query('begin');
    await database.query('select id from users where id = $1 for no key update', [owner.userId]);
    const completed = completeUpload(owner, { uploadURL });
    await waitForBlockedConnection(server.databaseUrl);
    const removed = remove(owner.userId, 'busy');
    await waitForBlockedConnection(server.databaseUrl, 2);
    await database.query('commit');
    const statuses = [(await completed).status, (await removed).status];
    expect(statuses[1]).toBe(204);
    expect(Object.values(await countRows(owner.userId)).every((count) => count === 0)).toBe(true);
    await server.drainJobs();
    expect((await storedFiles()).sort()).toEqual(files.sort());
  });
});
