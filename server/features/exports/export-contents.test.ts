import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { beforeEach, describe, expect, it } from 'vitest';
import { ExportList } from '#shared/transfers/export';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { readZip, type ZipContent } from '../../testing/assertions/read-zip.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../../testing/data/factories.ts';
import { makeLargeFile, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { ExportData } from './export-format.ts';
import { makeExportJob } from './make-export-job.ts';

let owner: TestClient & { userId: string };
/** Above index.html and data.json, below some of the heavy photos. */
const PART_BYTES = 600_000;

const server = await startTestServer({ env: { EXPORT_PART_MB: String(PART_BYTES / 1_000_000) } });
beforeEach(async () => {
  owner = await server.signUp();
});

async function downloadParts(client: TestClient = owner): Promise<Buffer[]> {
  const [found] = ExportList.parse((await client.get('/api/exports')).body);
  expect(found?.status).toBe('completed');
  const parts = await Promise.all((found?.parts ?? []).map(({ url }) => client.get(url)));
  expect(parts.map(({ status }) => status)).toEqual(parts.map(() => 200));
  expect(parts.map(({ bytes }) => bytes.length)).toEqual(found?.parts.map(({ byteSize }) => byteSize));
  return parts.map(({ bytes }) => bytes);
}

async function exportAlbum(): Promise<Map<string, Buffer>> {
  expect((await owner.post('/api/exports')).status).toBe(202);
  await server.drainJobs();
  return merge(await Promise.all((await downloadParts()).map(readZip)));
}

function merge(zips: ZipContent[]): Map<string, Buffer> {
  return new Map(zips.flatMap(({ files }) => [...files]));
}

const textIn = (files: Map<string, Buffer>, path: string) => files.get(path)?.toString('utf8') ?? '';
const dataIn = (files: Map<string, Buffer>) => ExportData.parse(JSON.parse(textIn(files, 'data.json')));
const photoPaths = (files: Map<string, Buffer>) =>
  [...files.keys()]
    .filter((path) => /^(photos|recently deleted)\/.*\.(jpg|png|webp|heic)$/.test(path))
    .sort();

describe('the zip of an export', () => {
  it('has the originals byte for byte, by pet and year, with the names of their captions', async () => {
    const pet = await addPet(owner, { name: 'Rex' });
    const photos = [await makePhoto({ width: 70 }), await makePhoto({ width: 80, format: 'png' })] as const;
    const withPet = { petId: pet.id, caption: 'First snow: "wow"?', memoryDate: '2024-12-03T08:30' };
    const first = await addMemory(owner, { ...withPet, photo: photos[0] });
    const second = await addMemory(owner, { photo: photos[1] });
    const zips = await (async () => {
      await owner.post('/api/exports');
      await server.drainJobs();
      return Promise.all((await downloadParts()).map(readZip));
    })();
    const files = merge(zips);
    const today = second.createdAt.slice(0, 10);
    const [firstPath, secondPath] = [
      `photos/Rex/2024/2024-12-03 First snow wow ${first.id.slice(-8)}.jpg`,
      `photos/Without a pet/${today.slice(0, 4)}/${today} ${second.id.slice(-8)}.png`,
    ];
    expect(photoPaths(files)).toEqual([firstPath, secondPath].sort());
    expect(files.get(firstPath)?.equals(photos[0])).toBe(true);
    expect(files.get(secondPath)?.equals(photos[1])).toBe(true);
    // Stored, not compressed again.
    expect(zips[0]?.methods.get(firstPath)).toBe(0);
    expect(zips[0]?.methods.get('data.json')).toBe(8);
    for (const { id, file } of dataIn(files).memories) {
      expect(id).toBe(file.path === firstPath ? first.id : second.id);
      const sha256 = createHash('sha256')
        .update(files.get(file.path) ?? '')
        .digest('hex');
      expect(file).toMatchObject({ sha256, byteSize: files.get(file.path)?.length });
    }
    expect(textIn(files, 'README.txt')).toContain('Not included: your password');
  });

  it('has a valid sidecar beside each photo, whatever its texts contain', async () => {
    const pet = await addPet(owner, { name: `R&x <"'>` });
    const caption = `</rdf:li> & "quotes" ]]> <script>alert(1)</script> \u0001\u0008 שלום 🐶`;
    const memory = await addMemory(owner, {
      petId: pet.id,
      caption,
      tags: 'sea & sun, <b>',
      memoryDate: '2024-12-03T08:30',
    });
    await owner.request('PATCH', `/api/memories/${memory.id}`, { json: { isLiked: true } });
    await addMemory(owner);
    const files = await exportAlbum();
    const sidecars = photoPaths(files).map((path) => path.replace(/\.\w+$/, '.xmp'));
    expect(sidecars).toHaveLength(2);
    for (const path of sidecars) expect(XMLValidator.validate(textIn(files, path))).toBe(true);
    const xmp = textIn(files, sidecars.find((path) => path.includes('2024-12-03')) ?? '');
    expect(xmp).not.toMatch(/[\u0001\u0008]/);
    const texts = (name: string) => textsOf(new XMLParser({ trimValues: false }).parse(xmp), name);
    expect(texts('rdf:li')).toEqual([
      caption.replace('\u0001\u0008', ''),
      'sea & sun',
      '<b>',
      `R&x <"'>`,
      `Pets|R&x <"'>`,
    ]);
    expect(texts('exif:DateTimeOriginal')).toEqual(['2024-12-03T08:30:00']);
    expect(texts('xmp:Rating')).toEqual(['5']);
  });

  it('has data.json, which its JSON Schema describes, with all that the account holds', async () => {
    await owner.request('PATCH', '/api/user', { json: { firstName: 'Mara', lastName: 'Quist' } });
    await owner.request('PUT', '/api/user/allowed-senders', { json: { addresses: ['oma@family.example'] } });
    const picture = await makePhoto({ width: 90, height: 90 });
    const pet = await addPet(
      owner,
      { description: 'Line one\nLine two\u2028three', breed: 'Beagle' },
      picture,
    );
    const memory = await addMemory(owner, { petId: pet.id, caption: 'Snow\u2028day', tags: 'snow, fun' });
    const deleted = await addMemory(owner, { caption: 'Blurred' });
    await deleteMemory(owner, deleted.id);
    const contact = await addContact(owner, { relationship: 'family' });
    const { body } = await owner.post('/api/caricatures/generate', {
      petId: pet.id,
      imageUrl: memory.imageUrl,
    });
    await server.drainJobs();
    const files = await exportAlbum();

    const schema = JSON.parse(textIn(files, 'data.schema.json')) as object;
    // Zod adds a pattern for each format.
    const ajv = new Ajv2020({ strict: true, formats: { uuid: true, 'date-time': true } });
    const validate = ajv.compile(schema);
    const data = JSON.parse(textIn(files, 'data.json')) as Record<string, unknown>;
    expect([validate(data), validate.errors]).toEqual([true, null]);
    expect(validate({ ...data, version: 2 })).toBe(false);
    expect(data['$schema']).toBe('./data.schema.json');

    const { user, pets, memories, contacts, caricatures } = dataIn(files);
    expect(user).toMatchObject({
      firstName: 'Mara',
      lastName: 'Quist',
      allowedSenders: ['oma@family.example'],
    });
    expect(pets).toMatchObject([
      { id: pet.id, name: 'Rex', breed: 'Beagle', description: 'Line one\nLine two\u2028three' },
    ]);
    expect(files.has(pets[0]?.picture?.path ?? '')).toBe(true);
    expect(files.get(pets[0]?.pictureOriginal?.path ?? '')).toEqual(picture);
    expect(pets[0]?.pictureCrop).toEqual({ left: 0, top: 0, size: 90, width: 90, height: 90 });
    expect(memories).toMatchObject([
      { id: memory.id, petId: pet.id, caption: 'Snow\u2028day', tags: ['snow', 'fun'], deletedAt: null },
      { id: deleted.id, caption: 'Blurred', deletedAt: expect.any(String) as string },
    ]);
    expect(memories[1]?.file.path).toMatch(/^recently deleted\/Without a pet\//);
    expect(contacts).toMatchObject([
      { id: contact.id, name: 'Oma Ingrid', email: 'ingrid@family.example', relationship: 'family' },
    ]);
    expect(caricatures).toMatchObject([
      { id: (body as { id: string }).id, memoryId: memory.id, style: 'comic' },
    ]);
    const caricature = caricatures[0]?.file.path ?? '';
    expect(caricature).toMatch(/^caricatures\/Rex\/\d{4}-\d{2}-\d{2} Comic [0-9a-f]{8}\.\w+$/);
    expect(files.get(caricature)?.length).toBe(caricatures[0]?.file.byteSize);
  });

  it('has no secrets', async () => {
    await addContact(owner);
    const files = await exportAlbum();
    const all = ['data.json', 'index.html', 'README.txt'].map((path) => textIn(files, path)).join('\n');
    const { rows } = (await server.context.db.execute(
      `select password_hash, inbound_token, suppression_entries.token, address_hash from users
       join suppression_entries on owner_id = users.id where users.id = '${owner.userId}'`,
    )) as unknown as { rows: Record<string, string>[] };
    const secrets = [...Object.values(rows[0] ?? {}), owner.cookie().split('=')[1] ?? ''];
    expect(secrets.filter((secret) => secret.length > 10)).toHaveLength(5);
    for (const secret of secrets) expect(all).not.toContain(secret);
  });

  it('has nothing of other accounts', async () => {
    const stranger = await server.signUp();
    await addMemory(stranger, { caption: 'Not mine' });
    await addPet(stranger, { name: 'Foreign' });
    await addContact(stranger, { email: 'foreign@family.example' });
    const files = await exportAlbum();
    const all = [...files].map(([path, bytes]) => path + bytes.toString('utf8')).join('\n');
    expect(all).not.toMatch(/Not mine|Foreign|foreign@/);
  });

  it('is split into several, none above the limit, that hold each photo with its sidecar once', async () => {
    const photos: Buffer[] = [];
    for (let index = 0; index < 6; index++) photos.push(await makeLargeFile(270_000));
    expect(Math.max(...photos.map(({ length }) => length))).toBeLessThan(PART_BYTES);
    for (const photo of photos) await addMemory(owner, { photo });
    await owner.post('/api/exports');
    await server.drainJobs();
    const parts = await downloadParts();
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(PART_BYTES);
    const zips = await Promise.all(parts.map(readZip));
    const paths = zips.flatMap(({ files }) => photoPaths(files));
    expect(new Set(paths).size).toBe(6);
    expect(paths).toHaveLength(6);
    for (const { files } of zips) {
      expect(files.has('README.txt')).toBe(true);
      for (const path of photoPaths(files)) expect(files.has(path.replace(/\.jpg$/, '.xmp'))).toBe(true);
    }
    const exported = [...merge(zips).values()];
    for (const photo of photos) expect(exported.some((bytes) => bytes.equals(photo))).toBe(true);
    expect(
      dataIn(merge(zips))
        .memories.map(({ file }) => file.path)
        .sort(),
    ).toEqual(paths.sort());
  });

  it('does not repeat texts larger than a part for each photo', async () => {
    const caption = Array.from({ length: 6_000 }, (_, n) =>
      createHash('sha256').update(`${n}`).digest('base64'),
    );
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push((await addMemory(owner)).id);
    for (const id of ids)
      await server.context.db.execute(
        `update memories set caption = '${caption.join('')}' where id = '${id}'`,
      );
    await owner.post('/api/exports');
    await server.drainJobs();
    const parts = await downloadParts();
    expect(parts.length).toBeLessThanOrEqual(2);
    const zips = await Promise.all(parts.map(readZip));
    expect(zips.flatMap(({ files }) => photoPaths(files))).toHaveLength(5);
    for (const { files } of zips) expect(dataIn(files).memories).toHaveLength(5);
  });

  it('leaves out a memory that was deleted for good while it was made', async () => {
    const [remaining, deleted] = [await addMemory(owner), await addMemory(owner, { caption: 'Gone' })];
    await server.drainJobs();
    await owner.post('/api/exports');
    let isDeleted = false;
    const storage: ObjectStorage = {
      ...server.context.storage,
      async read(key) {
        if (!isDeleted) {
          isDeleted = true;
          await deleteMemory(owner, deleted.id);
          await owner.request('DELETE', `/api/memories/deleted/${deleted.id}`);
          await server.drainJobs();
        }
        return server.context.storage.read(key);
      },
    };
    const [found] = ExportList.parse((await owner.get('/api/exports')).body);
    await makeExportJob.handle(
      { ...server.context, storage },
      { ownerId: owner.userId, exportId: found?.id ?? '' },
    );
    const files = merge(await Promise.all((await downloadParts()).map(readZip)));
    expect(photoPaths(files)).toHaveLength(1);
    expect(photoPaths(files)[0]).toContain(remaining.id.slice(-8));
    expect(textIn(files, 'missing.txt')).toContain('Gone');
  });

  it('of an empty account opens as well', async () => {
    const files = await exportAlbum();
    expect(dataIn(files)).toMatchObject({ pets: [], memories: [], contacts: [], caricatures: [] });
    expect(textIn(files, 'index.html')).toContain('<!doctype html>');
  });
});

/** Of all elements with this name. */
function textsOf(parsed: unknown, name: string): string[] {
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(parsed).flatMap(([key, value]: [string, unknown]) => {
    if (key === name) return [value].flat().map(String);
    return [value].flat().flatMap((each) => textsOf(each, name));
  });
}
