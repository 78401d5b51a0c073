import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import type { CreatedInvitation } from '#shared/accounts/invitation';
import type { User } from '#shared/accounts/user';
import type { Caricature } from '#shared/album/caricature';
import { IMPORT_CHUNK_BYTES } from '#shared/transfers/import';
import { retryDeadlock } from '../../../platform/db/retry-deadlock.ts';
import { putChunk, startImport } from '../../../testing/clients/imports.ts';
import { addTestPasskey } from '../../../testing/clients/passkey.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { turnTotpOn } from '../../../testing/clients/totp.ts';
import { addContact, addMemory, addPet, completeUpload, putPhoto } from '../../../testing/data/factories.ts';
import { inboundEmailOf, pushEmail, sendEmail } from '../../../testing/data/inbound-email.ts';
import { newNumber, startSmsServer, verifyNumber, postSms } from '../../../testing/data/inbound-sms.ts';
import { file, multipart } from '../../../testing/data/mime.ts';
import { startTwilioServer } from '../../../testing/fakes/twilio-server.ts';
import { makePhoto } from '../../../testing/photos/photos.ts';
import { waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import { deleteUser } from './delete-user.ts';
import { purgeAsleepUsersJob } from './purge-asleep-users-job.ts';

const EMAIL = 'mirabelle@mems.example';

type Owner = TestClient & { userId: string };

const PUBLIC_URL = 'http://mems.localhost';

let passedMs = 0;
const now = () => new Date(Date.now() + passedMs);

const twilio = await startTwilioServer();
const server = await startSmsServer(twilio, { env: { PUBLIC_URL }, overrides: { clock: { now } } });
const database = new pg.Client(server.databaseUrl);
await database.connect();
const admin = await server.signUp('keeper');
await database.query('update users set is_admin = true, email_verified_at = now()');
afterAll(() => database.end());

/** Counts the rows of each table with an owner. */
async function countRows(ownerId: string): Promise<Record<string, number>> {
  // Stores what waits in memory.
  await admin.get('/api/user/activity');
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

async function fill(owner: Owner): Promise<{ phone: string; shareUrl: string; code: string | undefined }> {
  const phone = newNumber();
  await verifyNumber(twilio, owner, phone);
  const pet = await addPet(owner, {}, await makePhoto({ width: 90 }));
  await addContact(owner);
  const memory = await addMemory(owner, { petId: pet.id, caption: 'First snow' });
  const { url } = (await owner.post(`/api/memories/${memory.id}/share`)).body as { url: string };
  await owner.post('/api/caricatures/consent');
  const asked = await owner.post('/api/caricatures/generate', { petId: pet.id, imageUrl: memory.imageUrl });
  expect((asked.body as Caricature).status).toBe('generating');
  await owner.post('/api/exports');
  await owner.post('/api/flipbooks/pdf', { memoryIds: [memory.id] });
  await server.drainJobs();
  await owner.request('PUT', '/api/user/allowed-senders', { json: { addresses: ['oma@family.example'] } });
  const key = { 'Idempotency-Key': 'key' };
  await owner.post('/api/contacts', { name: 'Opa', email: 'opa@family.example' }, key);
  await sendEmail(server, {
    ...owner,
    email: EMAIL,
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
  await admin.post('/api/session/proof', { password: 'correct horse' });
  await admin.request('PATCH', `/api/admin/users/${owner.userId}`, { json: { isAdmin: true } });
  await owner.post('/api/admin/invitations', {});
  await admin.post(`/api/admin/users/${owner.userId}/password-reset`);
  await owner.post('/api/sms/send-verification', { phoneNumber: newNumber() });
  await owner.request('PATCH', '/api/user/email', { json: { email: 'new@mems.example' } });
  await database.query(
    `insert into oidc_identities (id, owner_id, issuer, subject, created_at)
     values (gen_random_uuid(), $1, 'https://auth.example', 'mirabelle', now())`,
    [owner.userId],
  );
  const { codes } = await turnTotpOn(owner, now());
  await addTestPasskey(owner, PUBLIC_URL);
  await owner.post('/api/user/passkeys/options');
  // Half of a zip.
  const zip = Buffer.alloc(IMPORT_CHUNK_BYTES + 1);
  expect((await putChunk(owner, await startImport(owner, zip), zip, 0)).status).toBe(200);
  const batchId = randomUUID();
  await owner.post('/api/batches', { id: batchId });
  const uploadURL = await putPhoto(owner, await makePhoto({ width: 93 }), 'image/jpeg', batchId);
  expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  // Bytes that no memory refers to.
  await putPhoto(owner, await makePhoto({ width: 92 }));
  return { phone, shareUrl: url, code: codes[0] };
}

/** Invited by the administrator. */
async function signUpInvited(): Promise<Owner> {
  const invitation = (await admin.post('/api/admin/invitations', { email: EMAIL })).body as CreatedInvitation;
  const invitationToken = new URL(invitation.url).searchParams.get('invite');
  const client = server.visitor();
  const account = { email: EMAIL, username: 'mirabelle', password: 'correct horse', invitationToken };
  const { status, body } = await client.post('/api/register', account);
  expect(status).toBe(201);
  return Object.assign(client, { userId: (body as User).id });
}

async function passDays(days: number): Promise<void> {
  passedMs += days * 24 * 60 * 60 * 1000;
  await purgeAsleepUsersJob.handle(server.context, {});
  await server.drainJobs();
}

/** All rows of all tables, also the job queue's. */
async function dumpDatabase(): Promise<string> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
    dumps.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return dumps.join('\n');
}

const REQUESTS = {
  'its owner': (owner: Owner, code: string | undefined) =>
    owner.request('DELETE', '/api/user', { json: { username: 'mirabelle', code } }),
  'an administrator': ({ userId }: Owner) =>
    admin.request('DELETE', `/api/admin/users/${userId}`, { json: { username: 'mirabelle' } }),
};

describe.each(['its owner', 'an administrator'] as const)('14 days after %s asked', (who) => {
  it('the rows of every table, sessions, jobs and stored objects are gone, and nothing of others', async () => {
    const neighbor = await server.signUp();
    await addMemory(neighbor, { photo: await makePhoto({ width: 93 }) });
    await server.drainJobs();
    const othersRows = await countRows(neighbor.userId);
    const othersFiles = await storedFiles();
    const owner = await signUpInvited();
    const { phone, shareUrl, code } = await fill(owner);
    const before = await countRows(owner.userId);
    expect(Object.keys(before).filter((table) => before[table] === 0)).toEqual([]);
    expect((await storedFiles()).length).toBeGreaterThan(othersFiles.length + 5);
    await addMemory(owner);
    expect(await jobsWith(owner.userId)).toBeGreaterThan(0);

    const identifiers = [owner.userId, 'mirabelle', phone, 'new@mems.example', 'First snow'];
    const mentions = (text: string) => identifiers.filter((each) => text.includes(each));
    expect(mentions(await dumpDatabase())).toEqual(identifiers);

    expect((await REQUESTS[who](owner, code)).status).toBe(204);
    await passDays(12);
    expect(await storedFiles()).not.toEqual(othersFiles);
    expect((await countRows(owner.userId))['memories']).toBeGreaterThan(0);
    const signIn = { email: EMAIL, password: 'correct horse' };
    // Its session waits for the code of the authenticator app.
    expect((await server.visitor().post('/api/login', signIn)).status).toBe(202);
    await passDays(2);

    const after = await countRows(owner.userId);
    expect(Object.values(after).every((count) => count === 0)).toBe(true);
    expect([await jobsWith(owner.userId), await jobsWith(phone)]).toEqual([0, 0]);
    expect((await owner.get('/api/user')).status).toBe(401);
    expect((await server.visitor().get(new URL(shareUrl).pathname)).status).toBe(404);
    expect((await server.visitor().post('/api/login', signIn)).status).toBe(401);
    await server.drainJobs();
    const files = await storedFiles();
    expect(files.sort()).toEqual(othersFiles.sort());
    expect(await countRows(neighbor.userId)).toEqual(othersRows);
    expect(mentions(await dumpDatabase())).toEqual([]);
    expect(mentions(files.join())).toEqual([]);
    // The address is free again.
    expect((await signUpInvited()).userId).not.toBe(owner.userId);
    await database.query('delete from users where email = $1', [EMAIL]);
  });
});

describe('deleting a user', () => {
  it('while a photo is being added leaves nothing of it', async () => {
    const owner = await server.signUp('busy');
    const files = await storedFiles();
    const uploadURL = await putPhoto(owner, await makePhoto({ width: 94 }));
    // Holds the user, as the transaction of another upload does.
    await database.query('begin');
    await database.query('select id from users where id = $1 for no key update', [owner.userId]);
    const completed = completeUpload(owner, { uploadURL });
    await waitForBlockedConnection(server.databaseUrl);
    const removed = retryDeadlock(() =>
      server.context.db.transaction((tx) => deleteUser(server.context, tx, owner.userId)),
    );
    await waitForBlockedConnection(server.databaseUrl, 2);
    await database.query('commit');
    await Promise.all([completed, removed]);
    expect(Object.values(await countRows(owner.userId)).every((count) => count === 0)).toBe(true);
    await server.drainJobs();
    expect((await storedFiles()).sort()).toEqual(files.sort());
  });
});
