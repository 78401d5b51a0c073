import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { IMPORT_CHUNK_BYTES } from '#shared/transfers/import';
import type { Contact } from '#shared/album/contact';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import type { AppContext } from '../../platform/context.ts';
import { InsufficientStorageError, UnavailableError } from '../../platform/errors.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { trashOf } from '../../testing/clients/album.ts';
import { readOutbox } from '../../testing/clients/dev-outbox.ts';
import { addContact, addMemory, addPet, deleteMemory, petForm } from '../../testing/data/factories.ts';
import {
  exportZips,
  findImport,
  importZip,
  listObjects,
  normalize,
  putChunk,
  readAlbumOf,
  startImport,
  uploadImport,
} from '../../testing/clients/imports.ts';
import { makeLargeFile, makePhoto } from '../../testing/photos/photos.ts';
import { mountSmallDisk } from '../../testing/environment/small-disk.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { ExportData } from '../exports/export-format.ts';
import { addImportJob } from './add-import-job.ts';
import { purgeImportsJob } from './purge-imports-job.ts';

type Owner = TestClient & { userId: string };
type ExportedMemory = ExportData['memories'][number];

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const disk = await mountSmallDisk('1m');
let passedMs = 0;
const clock = { now: () => new Date(Date.now() + passedMs) };

/** The installation of the export, and the one of the import. */
let source: TestServer;
let target: TestServer;
let owner: Owner;
/** Of `source`: an album with all that an export has. */
let zip: Buffer;

beforeAll(async () => {
  source = await startTestServer();
  target = await startTestServer({ overrides: { clock } });
  const exported = await source.signUp();
  await fillAlbum(exported, source);
  [zip = Buffer.alloc(0)] = await exportZips(source, exported);
}, 120_000);
afterAll(() => disk?.unmount());
beforeEach(async () => {
  owner = await target.signUp();
  await target.drainJobs();
});

async function fillAlbum(client: TestClient, server: TestServer): Promise<void> {
  await client.request('PATCH', '/api/user', { json: { firstName: 'Mara', lastName: 'Quist' } });
  await client.request('PUT', '/api/user/allowed-senders', { json: { addresses: ['oma@family.example'] } });
  const details = { breed: 'Beagle', description: 'One\nTwo\u2028three', birthdayOrGotchaDay: '2020-02-29' };
  const picture = { ...details, profileImageCrop: '10,20,60' };
  const rex = await addPet(client, picture, await makePhoto({ width: 90, height: 90 }));
  const mia = await addPet(client, { name: 'Mia', species: 'cat' });
  const snow = await addMemory(client, {
    petId: rex.id,
    caption: 'Snow "day" שלום 🐶',
    tags: 'snow, fun',
    memoryDate: '2024-12-03T08:30',
  });
  await client.request('PATCH', `/api/memories/${snow.id}`, { json: { isLiked: true } });
  await client.post(`/api/memories/${snow.id}/dismiss`);
  await addMemory(client, { photo: await makePhoto({ width: 80, format: 'png' }), memoryDate: '2023-01-05' });
  const deleted = await addMemory(client, { caption: 'Blurred', petId: mia.id });
  await deleteMemory(client, deleted.id);
  const { id: contactId } = await addContact(client, { relationship: 'family' });
  await addContact(client, { name: 'Opa', email: 'opa@family.example' });
  await server.context.db.execute(`insert into muted_pets values ('${contactId}', '${mia.id}')`);
  await server.context.db.execute(
    `update suppression_entries set unsubscribed_at = now() where id = (select suppression_entry_id from contacts where id = '${contactId}')`,
  );
  await client.post('/api/caricatures/consent');
  const { body } = await client.post('/api/caricatures/generate', { petId: rex.id, imageUrl: snow.imageUrl });
  await server.drainJobs();
  const kept = await client.post(`/api/caricatures/${(body as { id: string }).id}/keep`);
  expect(kept.status).toBeLessThan(300);
}

const albumOf = async (client: TestClient, server = target) => readAlbumOf(await exportZips(server, client));
const rowsOf = async (query: string) => {
  const { rows } = (await target.context.db.execute(query)) as unknown as {
    rows: Record<string, unknown>[];
  };
  return rows;
};
const countMemories = async ({ userId }: Owner = owner) =>
  Number((await rowsOf(`select count(*) from memories where owner_id = '${userId}'`))[0]?.['count']);

describe('an import', () => {
  it('into an empty album of another installation restores the data and the originals byte for byte', async () => {
    const result = await importZip(target, owner, zip);
    expect(result).toMatchObject({ status: 'completed', message: null, unreadable: 0, missing: 0 });
    expect([result.done, result.added]).toEqual([result.total, result.total]);
    const before = normalize(await readAlbumOf([zip]));
    expect(before.memories.length).toBe(4);
    expect(before.memories.filter(({ isDismissed }) => isDismissed)).toHaveLength(1);
    expect(before.pets).toMatchObject([
      {
        picture: { width: 60, bytes: expect.any(String) as string },
        pictureOriginal: { width: 90, bytes: expect.any(String) as string },
        pictureCrop: { left: 10, top: 20, size: 60, width: 90, height: 90 },
      },
      { picture: null, pictureOriginal: null, pictureCrop: null },
    ]);
    expect(before.memories.every(({ file }) => file?.bytes)).toBe(true);
    expect(before.caricatures).toMatchObject([
      { memoryId: expect.any(Number) as number, savedMemoryId: expect.any(Number) as number },
    ]);
    expect(before.contacts).toMatchObject([
      { mutedPetIds: [1], unsubscribedAt: expect.any(String) as string },
      {},
    ]);
    // The time zone is that of the account's browser.
    const after = normalize(await albumOf(owner));
    expect({ ...after, user: { ...after.user, timeZone: null } }).toEqual({
      ...before,
      user: { ...before.user, timeZone: null },
    });
    expect((await owner.get('/api/memories/search?q=rex snow')).body).toHaveLength(1);
  });

  it('into a used album adds to it and changes nothing of it', async () => {
    await owner.request('PATCH', '/api/user', { json: { firstName: 'Own', lastName: 'Name' } });
    const pet = await addPet(owner, { name: 'Rex' });
    await addMemory(owner, { petId: pet.id, caption: 'Mine' });
    await addContact(owner, { name: 'Ingrid', email: 'INGRID@family.example' });
    const before = normalize(await albumOf(owner));
    const imported = normalize(await readAlbumOf([zip]));
    expect((await importZip(target, owner, zip)).status).toBe('completed');
    const { data } = await albumOf(owner);
    const captions = (album: { memories: { caption: string | null }[] }) =>
      album.memories.map(({ caption }) => caption ?? '').sort();
    expect(captions(data)).toEqual([...captions(before), ...captions(imported)].sort());
    expect(data.pets.map(({ name }) => name).sort()).toEqual(['Mia', 'Rex', 'Rex']);
    expect(data.user).toMatchObject({ firstName: 'Own', lastName: 'Name', allowedSenders: [] });
    const { body } = await owner.get('/api/contacts');
    const names = (body as Contact[]).map(({ name, isActive, status }) => [name, isActive, status]);
    // The one with the same address stays on, and keeps its name.
    expect(names.sort()).toEqual([
      ['Ingrid', true, 'ok'],
      ['Opa', false, 'ok'],
    ]);
  });

  it('twice is once: what is there stays as the owner changed it, also in the trash', async () => {
    await importZip(target, owner, zip);
    const [newest, liked] = (await owner.get('/api/memories')).body as Memory[];
    await owner.request('PATCH', `/api/memories/${liked?.id}`, { json: { caption: 'Changed' } });
    await deleteMemory(owner, newest?.id ?? '');
    const before = await albumOf(owner);
    const objects = await listObjects(target);
    const again = await importZip(target, owner, zip);
    expect([again.status, again.added, again.done]).toEqual(['completed', 0, again.total]);
    const after = await albumOf(owner);
    expect(after.data.memories).toEqual(before.data.memories);
    expect([after.data.pets, after.data.contacts, after.data.caricatures]).toEqual([
      before.data.pets,
      before.data.contacts,
      before.data.caricatures,
    ]);
    const ofAlbum = (keys: string[]) => keys.filter((key) => !key.startsWith('exports/'));
    expect(ofAlbum(await listObjects(target))).toEqual(ofAlbum(objects));
  });

  it('gives details to photos that the album has, and takes them out of the trash', async () => {
    const { data, files } = await readAlbumOf([zip]);
    const exported = (isIt: (memory: ExportedMemory) => boolean) => {
      const memory = data.memories.find(isIt);
      if (!memory) throw new Error('The export has no such memory');
      return { ...memory, photo: files.get(memory.file.path) ?? Buffer.alloc(0) };
    };
    const liked = exported(({ isLiked }) => isLiked);
    const plain = exported(({ caption }) => caption === null);
    const deleted = exported(({ deletedAt }) => deletedAt !== null);
    const inTrash = await addMemory(owner, { photo: liked.photo, tags: 'mine' });
    await deleteMemory(owner, inTrash.id);
    const inAlbum = await addMemory(owner, { photo: plain.photo, caption: 'Mine' });
    const deletedToo = await addMemory(owner, { photo: deleted.photo });
    await deleteMemory(owner, deletedToo.id);
    const result = await importZip(target, owner, zip);
    expect(result).toMatchObject({ status: 'completed', done: result.total });
    const memories = (await owner.get('/api/memories')).body as Memory[];
    expect(memories).toHaveLength(3);
    const byId = (id: string) => memories.find((memory) => memory.id === id);
    const { caption, tags, memoryDate } = liked;
    expect(byId(inTrash.id)).toMatchObject({ caption, tags, memoryDate, isLiked: true });
    expect(byId(inAlbum.id)).toMatchObject({ caption: 'Mine', memoryDate: plain.memoryDate });
    expect(await trashOf(owner)).toMatchObject([{ id: deletedToo.id }]);
    expect(await importZip(target, owner, zip)).toMatchObject({ status: 'completed', added: 0 });
    expect((await owner.get('/api/memories')).body).toEqual(memories);
  });

  it('into the album that it was made of, and back from another one, adds nothing', async () => {
    await importZip(target, owner, zip);
    const [own = Buffer.alloc(0)] = await exportZips(target, owner);
    expect(await importZip(target, owner, own)).toMatchObject({ status: 'completed', added: 0 });
    const other = await target.signUp();
    expect(await importZip(target, other, own)).toMatchObject({ status: 'completed', missing: 0 });
    expect(await countMemories(other)).toBe(4);
    const [back = Buffer.alloc(0)] = await exportZips(target, other);
    const before = (await albumOf(owner)).data;
    expect(await importZip(target, owner, back)).toMatchObject({ status: 'completed', added: 0 });
    const after = (await albumOf(owner)).data;
    expect({ ...after, exportedAt: '' }).toEqual({ ...before, exportedAt: '' });
  });

  it('emails nobody, and its contacts are switched off', async () => {
    await addContact(owner, { name: 'Aunt', email: 'aunt@family.example' });
    await target.drainJobs();
    const sent = await readOutbox(target.dataDir);
    await importZip(target, owner, zip);
    passedMs += DAY;
    await target.drainJobs();
    expect((await readOutbox(target.dataDir)).map(({ subject, to }) => [to, subject])).toEqual(
      sent.map(({ subject, to }) => [to, subject]),
    );
    expect(await rowsOf(`select 1 from deliveries where owner_id = '${owner.userId}'`)).toEqual([]);
    const { body } = await owner.get('/api/contacts');
    const active = (body as Contact[]).filter(({ isActive }) => isActive).map(({ name }) => name);
    expect(active).toEqual(['Aunt']);
  });

  it('lets its contacts be switched on like new ones: so many a day', async () => {
    const limited = await startTestServer({ env: { CONTACTS_PER_DAY: '1' } });
    const limitedOwner = await limited.signUp();
    await importZip(limited, limitedOwner, zip);
    const contacts = (await limitedOwner.get('/api/contacts')).body as Contact[];
    const statuses = [];
    for (const { id } of contacts.filter(({ status }) => status === 'ok'))
      for (const isActive of [true, false, true])
        statuses.push(
          (await limitedOwner.request('PATCH', `/api/contacts/${id}`, { json: { isActive } })).status,
        );
    expect(statuses).toEqual([200, 200, 200]);
    expect((await limitedOwner.post('/api/contacts', { name: 'A', email: 'a@family.example' })).status).toBe(
      429,
    );
  });

  it('is rejected beyond the storage limit, with nothing written', async () => {
    await rowsOf(`update users set storage_limit_bytes = 3000 where id = '${owner.userId}'`);
    const result = await importZip(target, owner, zip);
    expect(result).toMatchObject({ status: 'failed', added: 0 });
    expect(result.message).toMatch(/^There is not enough room in your album/);
    expect(await countMemories()).toBe(0);
    expect(await rowsOf(`select 1 from pets where owner_id = '${owner.userId}'`)).toEqual([]);
  });

  it('takes an album whose captions repeat a word thousands of times', async () => {
    const client = await source.signUp();
    for (let index = 0; index < 5; index++) await addMemory(client, { caption: 'snow '.repeat(50_000) });
    await source.drainJobs();
    const [repeating = Buffer.alloc(0)] = await exportZips(source, client);
    expect(await importZip(target, owner, repeating)).toMatchObject({ status: 'completed', added: 5 });
  });

  it('adds nothing to an account that was disabled or is asleep', async () => {
    await uploadImport(owner, zip);
    await rowsOf(`update users set disabled_at = now() where id = '${owner.userId}'`);
    await target.drainJobs();
    expect(await countMemories()).toBe(0);
    expect(await rowsOf(`select status from imports where owner_id = '${owner.userId}'`)).toEqual([
      { status: 'failed' },
    ]);
  });

  it('needs twice its size of free disk', async () => {
    let bavail = 1_000_000_000;
    const overrides = { statfs: () => Promise.resolve({ bsize: 1, blocks: 1_000_000_000, bavail }) };
    const server = await startTestServer({ env: { MIN_FREE_DISK_GB: '0.5' }, overrides });
    const client = await server.signUp();
    const start = () => client.post('/api/imports', { fileName: 'album.zip', size: 200_000_000 });
    bavail = 900_000_000;
    const rejected = await start();
    expect([rejected.status, rejected.body]).toMatchObject([
      507,
      { message: 'There is no room for more at the moment. Please tell the person who runs this album.' },
    ]);
    expect(await findImport(client)).toBeUndefined();
    bavail = 1_000_000_000;
    expect((await start()).status).toBe(201);
  });

  it('needs room for each piece when it arrives, since others fill the disk as well', async () => {
    let bavail = 1_000_000_000;
    const overrides = { statfs: () => Promise.resolve({ bsize: 1, blocks: 1_000_000_000, bavail }) };
    const server = await startTestServer({ env: { MIN_FREE_DISK_GB: '0.5' }, overrides });
    const client = await server.signUp();
    const started = await startImport(client, zip);
    bavail = 0.5 * 1024 ** 3 + zip.length - 1;
    expect((await putChunk(client, started, zip, 0)).status).toBe(507);
    expect(await findImport(client)).toMatchObject({ status: 'receiving', receivedBytes: 0 });
    expect((await listObjects(server)).filter((key) => key.startsWith('imports/'))).toEqual([]);
    bavail++;
    expect((await putChunk(client, started, zip, 0)).status).toBe(202);
    await server.drainJobs();
    expect(await findImport(client)).toMatchObject({ status: 'completed' });
  });

  it('is in the recent activity, with the allowed senders that it added', async () => {
    await importZip(target, owner, zip);
    await expect
      .poll(async () => {
        const { body } = await owner.get('/api/user/activity');
        return (body as { kind: string }[]).map(({ kind }) => kind);
      })
      .toEqual(expect.arrayContaining(['import-started', 'allowed-senders-changed']));
  });
});

describe('an import that is cut off', () => {
  /** Of more than two chunks. */
  let largeZip: ReturnType<typeof makeLargeZip> | undefined;
  const makeLargeZip = async () => {
    const photos = [];
    for (let index = 0; index < 8; index++) photos.push(await makeLargeFile(2_200_000));
    const client = await source.signUp();
    for (const photo of photos) await addMemory(client, { photo });
    await source.drainJobs();
    const [large = Buffer.alloc(0)] = await exportZips(source, client);
    expect(large.length).toBeGreaterThan(2 * IMPORT_CHUNK_BYTES);
    return { large, photos };
  };

  it('while it is uploaded goes on where it ended, and is whole', { timeout: 120_000 }, async () => {
    const { large, photos } = await (largeZip ??= makeLargeZip());
    const started = await startImport(owner, large);
    expect((await putChunk(owner, started, large, 0)).status).toBe(200);
    // The connection is lost in the middle of a chunk.
    await expect(
      fetch(new URL(`/api/imports/${started.id}/chunks/1`, target.origin), {
        method: 'PUT',
        headers: { Cookie: owner.cookies(), 'Sec-Fetch-Site': 'same-origin' },
        body: new ReadableStream({
          start(controller) {
            controller.enqueue(large.subarray(IMPORT_CHUNK_BYTES, IMPORT_CHUNK_BYTES + 100_000));
            setTimeout(() => controller.error(new Error('cut')), 100);
          },
        }),
        duplex: 'half',
      }),
    ).rejects.toThrow();
    const short = await owner.request('PUT', `/api/imports/${started.id}/chunks/1`, {
      body: large.subarray(IMPORT_CHUNK_BYTES, IMPORT_CHUNK_BYTES + 1000),
      headers: { 'Content-Type': 'application/octet-stream' },
    });
    expect(short.status).toBe(400);
    expect(await findImport(owner)).toMatchObject({ status: 'receiving', receivedBytes: IMPORT_CHUNK_BYTES });
    expect((await putChunk(owner, started, large, 2)).status).toBe(409);
    // The answer to the first one may have been lost.
    expect((await putChunk(owner, started, large, 0)).body).toMatchObject({
      receivedBytes: IMPORT_CHUNK_BYTES,
    });
    const uploaded = await uploadImport(owner, large);
    expect([uploaded.id, uploaded.status]).toEqual([started.id, 'working']);
    await target.drainJobs();
    expect(await findImport(owner)).toMatchObject({ status: 'completed', added: 8 });
    const { files } = await albumOf(owner);
    for (const photo of photos)
      expect([...files.values()].filter((bytes) => bytes.equals(photo))).toHaveLength(1);
    expect((await listObjects(target)).filter((key) => key.startsWith(`imports/${started.id}`))).toEqual([]);
  });

  it('while photos are added goes on with another worker, and is whole', async () => {
    const { id } = await uploadImport(owner, zip);
    let writes = 0;
    const storage: ObjectStorage = {
      ...target.context.storage,
      write: (key, ...rest) => {
        if (key.startsWith('originals/') && ++writes === 3) throw new Error('The storage is down');
        return target.context.storage.write(key, ...rest);
      },
    };
    const payload = { ownerId: owner.userId, importId: id };
    const job = addImportJob.handle({ ...target.context, storage }, payload);
    await expect(job).rejects.toThrow('The storage is down');
    const cut = await findImport(owner);
    expect(cut?.status).toBe('working');
    expect(cut?.done).toBeGreaterThan(0);
    await target.drainJobs();
    const result = await findImport(owner);
    expect(result).toMatchObject({ status: 'completed', done: result?.total });
    const { memories } = normalize(await albumOf(owner));
    expect(memories).toEqual(normalize(await readAlbumOf([zip])).memories);
  });

  it('by a worker that died is started again, and by the purge only then', async () => {
    const { id } = await uploadImport(owner, zip);
    const alive = (seconds: number) =>
      rowsOf(
        `update imports set worker_id = gen_random_uuid(), heartbeat_at = '${new Date(clock.now().getTime() - seconds * 1000).toISOString()}' where id = '${id}'`,
      );
    await alive(50);
    await purgeImportsJob.handle(target.context, {});
    await target.drainJobs();
    expect((await findImport(owner))?.status).toBe('working');
    await alive(70);
    await purgeImportsJob.handle(target.context, {});
    await purgeImportsJob.handle(target.context, {});
    expect(
      await rowsOf(`select from pgboss.job where name = 'add-import' and state = 'created'`),
    ).toHaveLength(1);
    await target.drainJobs();
    expect((await findImport(owner))?.status).toBe('completed');
  });

  it('by the end of its process goes on in the next one, however often', async () => {
    const { id } = await uploadImport(owner, zip);
    const payload = { ownerId: owner.userId, importId: id };
    for (let count = 0; count < 6; count++)
      await addImportJob.handle(target.context, payload, AbortSignal.abort());
    expect(await findImport(owner)).toMatchObject({ id, status: 'working' });
    await target.drainJobs();
    expect(await findImport(owner)).toMatchObject({ id, status: 'completed' });
    expect(await countMemories()).toBe(4);
  });

  it('by an outage of the storage or a full disk waits for an hour, which counts as no attempt', async () => {
    const { id } = await uploadImport(owner, zip);
    const down = () => Promise.reject(new UnavailableError());
    const full = {
      ...target.context.diskSpace,
      requireRoom: () => Promise.reject(new InsufficientStorageError()),
    };
    const contexts: AppContext[] = [
      { ...target.context, storage: { ...target.context.storage, read: down } },
      { ...target.context, diskSpace: full },
    ];
    const payload = { ownerId: owner.userId, importId: id };
    for (let attempt = 0; attempt < 6; attempt++) await addImportJob.handle(contexts[attempt % 2]!, payload);
    expect(await findImport(owner)).toMatchObject({ status: 'working' });
    const jobs = await rowsOf(
      `select start_after > now() as is_later from pgboss.job where name = 'add-import' and state = 'created' and data->>'importId' = '${id}' order by created_on desc limit 1`,
    );
    expect(jobs).toEqual([{ is_later: true }]);
    passedMs += 61 * MINUTE;
    await addImportJob.handle(contexts[1]!, payload);
    expect((await findImport(owner))?.message).toMatch(/^There is no room for more at the moment/);
    expect(await importZip(target, owner, zip)).toMatchObject({ status: 'completed' });
    expect(await countMemories()).toBe(4);
  });

  it('by a database without room waits, too', async () => {
    const { id } = await uploadImport(owner, zip);
    await rowsOf(`
      create function reject_memory() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = '53100'; end $$;
      create trigger reject_memory before insert on memories for each row execute function reject_memory()`);
    const allow = () => rowsOf('drop function if exists reject_memory cascade');
    onTestFinished(async () => void (await allow()));
    const payload = { ownerId: owner.userId, importId: id };
    for (let attempt = 0; attempt < 5; attempt++) await addImportJob.handle(target.context, payload);
    expect(await findImport(owner)).toMatchObject({ status: 'working' });
    await allow();
    await target.drainJobs();
    expect(await findImport(owner)).toMatchObject({ status: 'completed' });
    expect(await countMemories()).toBe(4);
  });

  it.runIf(disk)('by a full disk of the temporary files waits, too', async () => {
    const { id } = await uploadImport(owner, zip);
    vi.stubEnv('TMPDIR', disk?.folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const filler = (await disk?.fill()) ?? '';
    const payload = { ownerId: owner.userId, importId: id };
    for (let attempt = 0; attempt < 5; attempt++) await addImportJob.handle(target.context, payload);
    expect(await findImport(owner)).toMatchObject({ status: 'working' });
    await rm(filler);
    await target.drainJobs();
    expect(await findImport(owner)).toMatchObject({ status: 'completed' });
    expect(await countMemories()).toBe(4);
  });

  it('by the loss of a chunk after the check does not say that nothing was changed', async () => {
    const { large } = await (largeZip ??= makeLargeZip());
    const { id } = await uploadImport(owner, large);
    let isLost = false;
    const { storage } = target.context;
    const losing: ObjectStorage = {
      ...storage,
      write: (key, ...rest) => {
        isLost ||= key.startsWith('originals/');
        return storage.write(key, ...rest);
      },
      read: (key) => (isLost && key.startsWith('imports/') ? Promise.resolve(null) : storage.read(key)),
    };
    await addImportJob.handle(
      { ...target.context, storage: losing },
      { ownerId: owner.userId, importId: id },
    );
    const result = await findImport(owner);
    expect(result?.added).toBeGreaterThan(0);
    expect(result?.message).toMatch(/^The import did not finish\. Please import the file again/);
    expect(await importZip(target, owner, large)).toMatchObject({ status: 'completed', total: 8 });
    expect(await countMemories()).toBe(8);
  });

  it('when its account is disabled adds no more photos', async () => {
    const { id } = await uploadImport(owner, zip);
    const { storage } = target.context;
    const write: ObjectStorage['write'] = async (key, ...rest) => {
      await rowsOf(`update users set disabled_at = now() where id = '${owner.userId}'`);
      return storage.write(key, ...rest);
    };
    const context = { ...target.context, storage: { ...storage, write } };
    await addImportJob.handle(context, { ownerId: owner.userId, importId: id });
    expect(await countMemories()).toBe(0);
    expect(await rowsOf(`select status, failure_reason from imports where id = '${id}'`)).toEqual([
      { status: 'failed', failure_reason: 'interrupted' },
    ]);
  });

  it('fails after four attempts, and can be repeated', async () => {
    const { id } = await uploadImport(owner, zip);
    const storage = { ...target.context.storage, read: () => Promise.reject(new Error('down')) };
    const payload = { ownerId: owner.userId, importId: id };
    for (let attempt = 0; attempt < 4; attempt++)
      await expect(addImportJob.handle({ ...target.context, storage }, payload)).rejects.toThrow('down');
    expect(await findImport(owner)).toMatchObject({ status: 'failed' });
    expect((await findImport(owner))?.message).toMatch(/^The import did not finish/);
    expect(await importZip(target, owner, zip)).toMatchObject({ status: 'completed' });
  });
});

describe('several imports', () => {
  it('of one account at once are one', async () => {
    const started = await Promise.all([startImport(owner, zip), startImport(owner, zip)]);
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    const responses = await Promise.all([0, 0].map(() => putChunk(owner, started[0], zip, 0)));
    expect(responses.every(({ status }) => status === 202)).toBe(true);
    const other = await owner.post('/api/imports', { fileName: 'other.zip', size: zip.length });
    expect([other.status, other.body]).toMatchObject([
      409,
      { message: 'An import is being added to your album already. Please wait until it is done.' },
    ]);
    // Two workers at the same time, as after a long pause of one.
    const payload = { ownerId: owner.userId, importId: started[0].id };
    await Promise.all([addImportJob.handle(target.context, payload), target.drainJobs()]);
    await target.drainJobs();
    expect(await findImport(owner)).toMatchObject({ status: 'completed' });
    expect(await countMemories()).toBe(4);
  });

  it('that are rejected while one is being added do not count toward the day', async () => {
    const { id } = await uploadImport(owner, zip);
    const start = () => owner.post('/api/imports', { fileName: 'other.zip', size: zip.length });
    const rejected = await Promise.all(Array.from({ length: 50 }, start));
    expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([409]));
    expect((await owner.request('DELETE', `/api/imports/${id}`)).status).toBe(409);
    await target.drainJobs();
    expect((await start()).status).toBe(201);
  });

  it('of another file replaces one that is not uploaded completely', async () => {
    const first = await startImport(owner, zip, 'first.zip');
    const second = await startImport(owner, zip, 'second.zip');
    expect(second.id).not.toBe(first.id);
    expect((await putChunk(owner, first, zip, 0)).status).toBe(404);
    expect((await owner.request('DELETE', `/api/imports/${second.id}`)).status).toBe(204);
    expect(await findImport(owner)).toBeUndefined();
  });

  it('belong to their accounts', async () => {
    const started = await startImport(owner, zip);
    const stranger = await target.signUp();
    expect((await putChunk(stranger, started, zip, 0)).status).toBe(404);
    expect((await stranger.request('DELETE', `/api/imports/${started.id}`)).status).toBe(404);
    expect(await findImport(stranger)).toBeUndefined();
    expect((await target.visitor().get('/api/imports')).status).toBe(401);
    expect((await findImport(owner))?.receivedBytes).toBe(0);
  });

  it('are limited to 4.4 GB each, and deleted after seven days', async () => {
    const large = await owner.post('/api/imports', { fileName: 'a.zip', size: 5_000_000_000 });
    expect(large.status).toBe(413);
    const { id } = await uploadImport(owner, zip);
    await target.drainJobs();
    passedMs += 7 * DAY + MINUTE;
    await purgeImportsJob.handle(target.context, {});
    await target.drainJobs();
    expect(await findImport(owner)).toBeUndefined();
    expect((await listObjects(target)).filter((key) => key.includes(id))).toEqual([]);
    expect(await countMemories()).toBe(4);
  });
});

describe('the parts of an export', () => {
  const exportInParts = async () => {
    const server = await startTestServer({ env: { EXPORT_PART_MB: '0.7' } });
    const client = await server.signUp();
    const pet = await addPet(client, {}, await makePhoto({ width: 90, height: 90 }));
    for (let index = 0; index < 3; index++)
      await addMemory(client, { petId: pet.id, photo: await makeLargeFile(270_000) });
    await server.drainJobs();
    return exportZips(server, client);
  };

  it('can be imported in any order, each with its own photos', async () => {
    const parts = await exportInParts();
    expect(parts.length).toBeGreaterThan(1);
    const results = [];
    for (const part of parts.toReversed()) results.push(await importZip(target, owner, part));
    expect(results.map(({ status }) => status)).toEqual(parts.map(() => 'completed'));
    expect(results.every(({ missing, added }) => missing > 0 && added > 0)).toBe(true);
    const before = normalize(await readAlbumOf(parts));
    const after = normalize(await albumOf(owner));
    expect([after.pets, after.memories]).toEqual([before.pets, before.memories]);
  });

  it('leave nothing behind when the import is deleted while their data is stored', async () => {
    const [part = zip] = await exportInParts();
    const { id } = await uploadImport(owner, part);
    const writeStream: ObjectStorage['writeStream'] = async (...args) => {
      await rowsOf(`delete from imports where id = '${id}'`);
      return target.context.storage.writeStream(...args);
    };
    const context = { ...target.context, storage: { ...target.context.storage, writeStream } };
    await addImportJob.handle(context, { ownerId: owner.userId, importId: id });
    expect(
      (await listObjects(target)).filter((key) => key.endsWith('data.json') && key.includes(id)),
    ).toEqual([]);
  });

  it('without data are not taken for parts of another export', async () => {
    const [first = zip] = await exportInParts();
    expect(await importZip(target, owner, first)).toMatchObject({ status: 'completed' });
    const path = new URL('../../testing/fixtures/export-v1-part-2.zip', import.meta.url);
    const other = await importZip(target, owner, await readFile(path));
    expect(other.message).toMatch(/^This is a later part of an export/);
  });

  it('leave nothing behind when each attempt fails after their data was stored', async () => {
    const [part = zip] = await exportInParts();
    const { id } = await uploadImport(owner, part);
    const writeStream: ObjectStorage['writeStream'] = async (...args) => {
      await target.context.storage.writeStream(...args);
      throw new Error('down');
    };
    const context = { ...target.context, storage: { ...target.context.storage, writeStream } };
    for (let attempt = 0; attempt < 4; attempt++)
      await expect(addImportJob.handle(context, { ownerId: owner.userId, importId: id })).rejects.toThrow(
        'down',
      );
    expect(await findImport(owner)).toMatchObject({ status: 'failed' });
    expect((await owner.request('DELETE', `/api/imports/${id}`)).status).toBe(204);
    await target.drainJobs();
    expect((await listObjects(target)).filter((key) => key.includes(id))).toEqual([]);
  });

  it('of an older release, version 1, are imported, part 1 first', async () => {
    const read = (part: number) =>
      readFile(new URL(`../../testing/fixtures/export-v1-part-${part}.zip`, import.meta.url));
    const parts = [await read(1), await read(2)] as const;
    const early = await importZip(target, owner, parts[1]);
    expect(early).toMatchObject({ status: 'failed', added: 0 });
    expect(early.message).toBe(
      'This is a later part of an export, and only part 1 says what is in it. Please import part 1 first. Nothing was changed.',
    );
    expect(await importZip(target, owner, parts[0])).toMatchObject({
      status: 'completed',
      total: 0,
      missing: 5,
    });
    const data = await rowsOf(`select data_id from imports where owner_id = '${owner.userId}'`);
    expect(await importZip(target, owner, parts[1])).toMatchObject({
      status: 'completed',
      added: 5,
      missing: 0,
    });
    const before = normalize(await readAlbumOf([...parts]));
    const after = normalize(await albumOf(owner));
    expect({ ...after, user: { ...after.user, timeZone: null } }).toEqual({
      ...before,
      user: { ...before.user, timeZone: null },
      // It did not record them.
      memories: before.memories.map((memory) => ({ ...memory, dateSource: null, isDismissed: false })),
    });
    expect(before.caricatures).toMatchObject([{ memoryId: expect.any(Number) as number }]);
    expect(before.pets).toMatchObject([{ picture: { bytes: expect.any(String) as string } }]);
    // A picture that the owner removed does not come back.
    const [pet] = (await owner.get('/api/pets')).body as Pet[];
    await owner.request('PATCH', `/api/pets/${pet?.id}`, { body: petForm({ removeProfileImage: 'true' }) });
    expect(await importZip(target, owner, parts[1])).toMatchObject({ status: 'completed', added: 0 });
    expect((await owner.get('/api/pets')).body).toMatchObject([{ profileImageUrl: null }]);
    // The stored data goes with the import.
    expect((await owner.request('DELETE', `/api/imports/${(await findImport(owner))?.id}`)).status).toBe(204);
    await target.drainJobs();
    expect((await listObjects(target)).filter((key) => key.includes(String(data[0]?.['data_id'])))).toEqual(
      [],
    );
  });
});
