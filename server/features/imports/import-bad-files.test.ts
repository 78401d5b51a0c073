import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { IMPORT_CHUNK_BYTES } from '#shared/transfers/import';
import type { AllowedSenders } from '#shared/transfers/inbound-email';
import type { Memory } from '#shared/album/memory';
import { UnavailableError } from '../../platform/errors.ts';
import {
  describeFile,
  editCentralHeader,
  renameEntry,
  setEntryCount,
  writeZip,
  type NewEntry,
} from '../../testing/data/hostile-zips.ts';
import { findImport, importZip, listObjects, uploadImport } from '../../testing/clients/imports.ts';
import { readAllRows } from '../../testing/assertions/all-rows.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer } from '../../testing/test-server.ts';
import type { AlbumSpool } from '../exports/album-spool.ts';
import { addImportJob } from './add-import-job.ts';
import { readImportData } from './read-archive/read-import-data.ts';

const PHOTO = 'photos/Rex/2024/2024-12-03 Snow 12345678.jpg';

let owner: TestClient & { userId: string };

const server = await startTestServer();
const photo = await makePhoto();
beforeEach(async () => {
  owner = await server.signUp();
  await server.drainJobs();
});

const memory = (changes: object = {}) => ({
  id: '01900000-0000-7000-8000-000000000001',
  petId: null,
  caption: 'Snow',
  tags: ['fun'],
  isLiked: false,
  memoryDate: '2024-12-03T08:30',
  addedDay: '2024-12-04',
  source: 'web',
  createdAt: '2024-12-04T08:30:00.000Z',
  deletedAt: null,
  file: describeFile(PHOTO, photo),
  ...changes,
});
const user = {
  username: 'mara',
  firstName: 'Mara',
  lastName: null,
  email: 'mara@mems.example',
  phoneNumber: null,
  timeZone: 'Europe/Berlin',
  allowedSenders: [],
  createdAt: '2024-01-01T00:00:00.000Z',
};
const contact = {
  id: '01900000-0000-7000-8000-000000000003',
  name: 'Oma',
  email: 'oma@family.example',
  relationship: null,
  isActive: true,
  frequency: 'every',
  mutedPetIds: [],
  unsubscribedAt: null,
  createdAt: '2024-01-01T00:00:00.000Z',
};
const pet = {
  id: '01900000-0000-7000-8000-000000000002',
  name: 'Rex',
  species: 'dog',
  breed: null,
  age: null,
  weight: null,
  birthdayOrGotchaDay: null,
  description: null,
  createdAt: '2024-01-01T00:00:00.000Z',
  picture: null,
};
const toData = (changes: object = {}) =>
  JSON.stringify({
    format: 'mems-are-forever-export',
    version: 1,
    exportedAt: '2024-12-05T00:00:00.000Z',
    user,
    pets: [],
    memories: [memory()],
    contacts: [],
    caricatures: [],
    ...changes,
  });
const dataEntry = (changes: object = {}): NewEntry => ({ path: 'data.json', content: toData(changes) });
const photoEntry = (): NewEntry => ({ path: PHOTO, content: photo, compress: false });
const zipWith = (...more: NewEntry[]) => writeZip([dataEntry(), photoEntry(), ...more]);

/** Everything but the import itself, which says why it failed, and what signing in and asking writes. */
async function stateOf(): Promise<object> {
  const { imports: _, ...rows } = Object.fromEntries(
    Object.entries(await readAllRows(server.databaseUrl)).map(([name, all]) => [
      name.replace('public.', ''),
      all,
    ]),
  );
  const isOfAlbum = (name: string) => !/^\(select|rate_limits|account_activity|sessions|users/.test(name);
  return {
    rows: Object.fromEntries(Object.entries(rows).filter(([name]) => isOfAlbum(name))),
    objects: await listObjects(server),
  };
}

async function expectRejection(zip: Buffer, message: RegExp | string): Promise<void> {
  const before = await stateOf();
  const result = await importZip(server, owner, zip);
  expect(result).toMatchObject({ status: 'failed', added: 0 });
  if (typeof message === 'string') expect(result.message).toContain(message);
  else expect(result.message).toMatch(message);
  expect(result.message).toMatch(/Nothing was changed\.$/);
  expect(await stateOf()).toEqual(before);
}

it('the files below are imported as long as nothing is wrong with them', async () => {
  const zip = await writeZip([
    dataEntry({ pets: [pet], contacts: [contact] }),
    photoEntry(),
    { path: 'notes/other.txt', content: 'Added by hand' },
  ]);
  expect(await importZip(server, owner, zip)).toMatchObject({ status: 'completed', added: 1, message: null });
});

describe('an import rejects by name, and writes nothing of', () => {
  it.each([
    ['a path out of the folder', '../../etc/passwd'],
    ['an absolute path', '/root/.ssh/keys.txt'],
    ['a path of Windows', 'C:\\Windows\\evil.exe'],
    ['a path with a backslash', 'photos\\..\\..\\a.txt'],
  ])('%s', async (_title, path) => {
    const harmless = 'x'.repeat(path.length);
    const zip = renameEntry(await zipWith({ path: harmless, content: 'evil' }), harmless, path);
    await expectRejection(zip, `This zip is not safe: it has a file outside its own folder (${path}).`);
  });

  it.each([
    ['a symbolic link', 0o120777],
    ['a device', 0o020666],
  ])('%s', async (_title, mode) => {
    const zip = await zipWith({ path: 'photos/link.jpg', content: '/etc/passwd', mode });
    await expectRejection(zip, 'This zip is not safe: photos/link.jpg is a link or a device, not a file.');
  });

  it('a symbolic link in the place of a photo', async () => {
    const zip = await writeZip([dataEntry(), { ...photoEntry(), mode: 0o120777 }]);
    await expectRejection(zip, /is a link or a device, not a file/);
  });

  it('a compression ratio over 200', async () => {
    const zip = await zipWith({ path: 'bomb.bin', content: Buffer.alloc(1_000_000) });
    await expectRejection(zip, 'This zip is not safe: bomb.bin would become more than 200 times as large.');
  });

  it('a file that hides its size', async () => {
    const bomb = await writeZip([{ path: 'data.json', content: Buffer.alloc(1_000_000, ' ') }, photoEntry()]);
    const zip = editCentralHeader(bomb, 'data.json', (header) => header.writeUInt32LE(1000, 24));
    await expectRejection(zip, 'The export is damaged: data.json is not what it was.');
  });

  it('files that overlap', async () => {
    const large = randomBytes(100_000);
    const plain = await zipWith(
      { path: 'first.bin', content: large, compress: false },
      { path: 'other.bin', content: randomBytes(10), compress: false },
    );
    const zip = editCentralHeader(plain, 'other.bin', (header) => {
      header.writeUInt32LE(large.length, 20);
      header.writeUInt32LE(large.length, 24);
    });
    await expectRejection(zip, 'This zip is not safe: its files overlap.');
  });

  it('over a million entries', async () => {
    const zip64 = await writeZip([dataEntry(), photoEntry()], { zip64: true });
    await expectRejection(
      setEntryCount(zip64, 1_000_001),
      'This zip is not safe: it has more than a million files.',
    );
  });

  it('a password', async () => {
    const zip = editCentralHeader(await zipWith(), 'data.json', (header) => header.writeUInt16LE(1, 8));
    await expectRejection(zip, 'This zip is protected by a password');
  });

  it('a newer version', async () => {
    const zip = await writeZip([dataEntry({ version: 2, memories: 'in another form' }), photoEntry()]);
    await expectRejection(
      zip,
      'This export was made by a newer release of Mems Are Forever. Please update this one first.',
    );
  });

  it.each([
    ['JSON of another program', '{"albums":[{"title":"Holiday"}]}'],
    ['JSON that is no object', '[1,2,3]'],
    ['an unfinished object', '{"format":"mems-are-forever-export","version":1,"memories":['],
    ['no JSON', 'hello'],
    ['an empty file', ''],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x7b])],
    ['another format', JSON.stringify({ format: 'other', version: 1 })],
    ['deep nesting', `{"format":"mems-are-forever-export","version":1,"user":${'['.repeat(100_000)}`],
  ])('%s', async (_title, content) => {
    const zip = await writeZip([{ path: 'data.json', content, compress: false }, photoEntry()]);
    await expectRejection(zip, 'This zip is not an export of Mems Are Forever.');
  });

  it('a zip of other files, and a file that is no zip or only the beginning of one', async () => {
    const holiday = await writeZip([{ path: 'holiday.jpg', content: photo }]);
    await expectRejection(holiday, 'This zip is not an export of Mems Are Forever.');
    const software = await writeZip([{ path: 'README.txt', content: 'Extract all, then run setup.' }]);
    await expectRejection(software, 'This zip is not an export of Mems Are Forever.');
    await expectRejection(photo, 'This file is not a zip, or it is not complete.');
    const zip = await zipWith();
    await expectRejection(
      zip.subarray(0, zip.length - 100),
      'This file is not a zip, or it is not complete.',
    );
  });

  it.each([
    ['a text that cannot be stored', { memories: [() => ({ caption: 'a\0b' })] }],
    ['a date that does not exist', { memories: [() => ({ memoryDate: '2023-02-30' })] }],
    ['a moment that cannot be stored', { memories: [() => ({ createdAt: '0000-01-01T00:00:00Z' })] }],
    ['a missing field', { memories: [() => ({ tags: undefined })] }],
    ['an unknown source', { memories: [() => ({ source: 'fax' })] }],
    ['an id that is none', { memories: [() => ({ id: '1; drop table memories' })] }],
    [
      'a photo that is too large',
      { memories: [() => ({ file: { ...describeFile(PHOTO, photo), byteSize: 60_000_000 } })] },
    ],
    ['the same id twice', { memories: [() => ({}), () => ({})] }],
  ])('%s', async (_title, { memories }) => {
    const data = { memories: memories.map((changes) => memory(changes())) };
    await expectRejection(await writeZip([dataEntry(data), photoEntry()]), 'data.json is not valid');
  });

  it.each([
    ['a contact without an address', { contacts: [{ ...contact, email: 'Oma\r\nBcc: all@else.example' }] }],
    [
      'an address that only looks like another one',
      { contacts: [{ ...contact, email: ' oma@family.example\n' }] },
    ],
    [
      'muted pets without end',
      { contacts: [{ ...contact, mutedPetIds: Array.from({ length: 501 }, () => randomUUID()) }] },
    ],
    ['a pet with endless texts', { pets: [{ ...pet, description: randomBytes(300_000).toString('hex') }] }],
    ['a pet with an endless name', { pets: [{ ...pet, name: 'x'.repeat(101) }] }],
    ['a list that is none', { pets: {} }],
    ['a sender that is none', { user: { ...user, allowedSenders: ['*'] } }],
  ])('%s', async (_title, changes) => {
    await expectRejection(await writeZip([dataEntry(changes), photoEntry()]), 'data.json is not valid');
  });

  it('more contacts than an album needs', async () => {
    const contacts = Array.from({ length: 1001 }, (_, n) => ({
      ...contact,
      id: contact.id.slice(0, -4) + String(1000 + n),
      email: `oma-${n}@family.example`,
    }));
    await expectRejection(await writeZip([dataEntry({ contacts }), photoEntry()]), 'at most 1000 contacts');
  });

  it('a file name that cannot be stored', async () => {
    const zip = renameEntry(await zipWith({ path: 'a-b.txt', content: 'a' }), 'a-b.txt', 'a\0b.txt');
    await expectRejection(zip, 'This zip is not safe');
  });

  it('an entry with an endless name', async () => {
    const zip = await zipWith({ path: `notes/${'x'.repeat(995)}`, content: 'a' });
    await expectRejection(zip, /^The export is damaged: notes\/x+ is not valid/);
  });

  it('a photo that is not the one in the data', async () => {
    const other = Buffer.from(photo);
    other[other.length - 10]! ^= 1;
    const zip = await writeZip([dataEntry(), { ...photoEntry(), content: other }]);
    await expectRejection(zip, `The export is damaged: ${PHOTO} is not what it was.`);
    const shorter = await writeZip([dataEntry(), { ...photoEntry(), content: photo.subarray(0, 100) }]);
    await expectRejection(shorter, `The export is damaged: ${PHOTO} is not what it was.`);
  });

  it('a photo whose bytes changed in the zip', async () => {
    const zip = Buffer.from(await zipWith());
    zip[zip.indexOf(photo) + 50]! ^= 1;
    await expectRejection(zip, `The export is damaged: ${PHOTO} is not what it was.`);
  });

  it('more pets than an album may have', async () => {
    const id = (index: number) => `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`;
    const pets = Array.from({ length: 501 }, (_, index) => ({ ...pet, id: id(index), name: `Rex ${index}` }));
    await expectRejection(
      await writeZip([dataEntry({ pets }), photoEntry()]),
      'An album has at most 500 pets.',
    );
  });
});

it('tags and allowed senders become what they would be on the web', async () => {
  const senders = ['Oma@Family.example', 'oma@family.example', ' opa@family.example '];
  const data = {
    user: { ...user, allowedSenders: senders },
    memories: [memory({ tags: [' snow ', 'snow', '', 'Snow'] })],
  };
  const zip = await writeZip([dataEntry(data), photoEntry()]);
  expect(await importZip(server, owner, zip)).toMatchObject({ status: 'completed', added: 1 });
  const [added] = (await owner.get('/api/memories')).body as Memory[];
  expect(added?.tags).toEqual(['snow', 'Snow']);
  const { body } = await owner.get('/api/user/allowed-senders');
  expect((body as AllowedSenders).addresses.toSorted()).toEqual(['oma@family.example', 'opa@family.example']);
});

it('a time zone that only a newer system knows is left out', async () => {
  const zip = await writeZip([dataEntry({ user: { ...user, timeZone: 'Moon/Base' } }), photoEntry()]);
  expect(await importZip(server, owner, zip)).toMatchObject({ status: 'completed', added: 1 });
  const { rows } = await server.context.db.execute(
    `select first_name, time_zone from users where id = '${owner.userId}'`,
  );
  expect(rows).toEqual([{ first_name: 'Mara', time_zone: null }]);
});

it('300,000 items are read, and no more', { timeout: 240_000 }, async () => {
  async function* read() {
    const head = { format: 'mems-are-forever-export', version: 1, user };
    yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"pets":[`);
    let chunk = '';
    for (let index = 0; index <= 300_000; index++) {
      const id = `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`;
      chunk += `${index ? ',' : ''}${JSON.stringify({ ...pet, id })}`;
      if (index % 1000 !== 0) continue;
      yield Buffer.from(chunk);
      chunk = '';
      // As a storage does, so that the server of the other tests goes on.
      await setImmediate();
    }
    yield Buffer.from(']}');
  }
  let written = 0;
  const spool = { write: () => Promise.resolve(void written++) };
  await expect(readImportData(read, spool as unknown as AlbumSpool)).rejects.toThrow('invalid-data');
  expect(written).toBe(300_000);
});

it('an outage of the storage while the entries are listed is not taken for a bad file', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `notes/${'x'.repeat(150)} ${index}.txt`);
  const fill = (byteSize: number) =>
    zipWith(
      { path: 'fill.bin', content: randomBytes(byteSize), compress: false },
      ...names.map((path) => ({ path, content: '' })),
    );
  const directoryOf = (zip: Buffer) => zip.readUInt32LE(zip.length - 6);
  // The directory begins in the first chunk, and the zip is opened by its last one.
  const zip = await fill(IMPORT_CHUNK_BYTES - 10 - directoryOf(await fill(0)));
  expect(directoryOf(zip)).toBe(IMPORT_CHUNK_BYTES - 10);
  const { id } = await uploadImport(owner, zip);
  const { storage } = server.context;
  const read: typeof storage.read = (key) =>
    key === `imports/${id}/0` ? Promise.reject(new UnavailableError()) : storage.read(key);
  const context = { ...server.context, storage: { ...storage, read } };
  await addImportJob.handle(context, { ownerId: owner.userId, importId: id });
  expect(await findImport(owner)).toMatchObject({ status: 'working', message: null });
  await server.drainJobs();
  expect(await findImport(owner)).toMatchObject({ status: 'completed', added: 1 });
});

describe('a picture of a pet is added without its original', () => {
  const crop = { left: 0, top: 0, size: 20, width: 80, height: 60 };
  const junk = Buffer.from('<script>alert(1)</script>');

  it.each([
    ['that cannot be decoded', () => Promise.resolve(junk), crop],
    ['when the crop is not within it', () => makePhoto({ width: 80, height: 60 }), { ...crop, top: 50 }],
    ['when the crop is of another size', () => makePhoto({ width: 90, height: 60 }), crop],
  ])('%s', async (_, make, pictureCrop) => {
    const original = await make();
    const [path, originalPath] = ['pets/Rex.jpg', 'pets/Rex original.jpg'];
    const files = {
      picture: describeFile(path, photo),
      pictureOriginal: describeFile(originalPath, original),
    };
    const data = dataEntry({ memories: [], pets: [{ ...pet, ...files, pictureCrop }] });
    const zip = await writeZip([data, { path, content: photo }, { path: originalPath, content: original }]);
    expect(await importZip(server, owner, zip)).toMatchObject({
      status: 'completed',
      added: 1,
      unreadable: 0,
    });
    const { body } = await owner.get('/api/pets');
    expect(body).toMatchObject([{ profileImageUrl: expect.any(String) as string, profileImageCrop: null }]);
    const { rows } = await server.context.db.execute(
      `select profile_original_id as "originalId" from pets where owner_id = '${owner.userId}'`,
    );
    expect(rows).toEqual([{ originalId: null }]);
  });
});

it('a file that is no photo is left out and counted, and the others are added', async () => {
  const fake = Buffer.from('<script>alert(1)</script>');
  const path = 'photos/Rex/2024/fake.jpg';
  const memories = [
    memory(),
    memory({ id: '01900000-0000-7000-8000-000000000009', file: describeFile(path, fake) }),
  ];
  const zip = await writeZip([dataEntry({ memories }), photoEntry(), { path, content: fake }]);
  const result = await importZip(server, owner, zip);
  expect(result).toMatchObject({ status: 'completed', total: 2, done: 2, added: 1, unreadable: 1 });
});
