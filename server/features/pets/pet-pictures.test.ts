import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Pet } from '#shared/album/pet';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import { UnavailableError } from '../../platform/errors.ts';
import { purgeUploadsJob } from '../uploads/purge-uploads-job.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { addMemory, addPet, petForm } from '../../testing/data/factories.ts';
import { displayP3Heic } from '../../testing/photos/heif-photos.ts';
import { colorAt, makePhoto } from '../../testing/photos/photos.ts';
import type { TestClient, TestResponse } from '../../testing/clients/test-client.ts';
import { startTestServer } from '../../testing/test-server.ts';

let owner: TestClient & { userId: string };
let now = new Date('2026-06-01T12:00:00Z');
const clock = { now: () => now };

const server = await startTestServer({ overrides: { clock }, env: { UPLOADS_PER_MINUTE: '1000' } });

beforeEach(async () => {
  await server.drainJobs();
  owner = await server.signUp();
});

const create = (photo: Uint8Array, client: TestClient = owner) =>
  client.request('POST', '/api/pets', { body: petForm({ name: 'Rex', species: 'dog' }, photo) });
const edit = (id: string, fields: Record<string, string>, photo?: Uint8Array) =>
  owner.request('PATCH', `/api/pets/${id}`, { body: petForm(fields, photo) });
const adjust = (id: string, profileImageCrop: string, croppedImageId: string) =>
  edit(id, { profileImageCrop, croppedImageId });
const originalOf = ({ profileImageUrl, profileImageCrop }: Pet) =>
  (profileImageCrop?.originalUrl ?? profileImageUrl ?? '').replace('/objects/', '');
const cropOf = (response: TestResponse) => (response.body as Pet).profileImageCrop;
const pictureOf = (response: TestResponse) => (response.body as Pet).profileImageUrl ?? '';

/** All stored objects of all accounts. */
async function objectsIn(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'objects');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
}

describe('a profile picture', () => {
  it('is upright, square and without metadata', async () => {
    const response = await create(await makePhoto({ width: 900, height: 600, orientation: 6 }));
    expect(response.status).toBe(201);
    const { bytes, headers } = await owner.get(pictureOf(response));
    expect(headers.get('Content-Type')).toBe('image/webp');
    const { width, height, exif, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, orientation }).toEqual({
      width: 600,
      height: 600,
      exif: undefined,
      orientation: undefined,
    });
    expect([await colorAt(bytes, 0.5, 0.02), await colorAt(bytes, 0.5, 0.98)]).toEqual(['red', 'blue']);
    expect((await owner.get(`${pictureOf(response)}/original`)).bytes).toEqual(bytes);
  });

  it('has all widths in advance, for its owner only', async () => {
    const url = pictureOf(await create(await makePhoto({ width: 2000, height: 2400 })));
    await server.drainJobs();
    const copies = (await objectsIn(server.dataDir)).filter((file) =>
      file.includes(url.replace('/objects/', '')),
    );
    expect(copies).toHaveLength(4);
    expect((await sharp((await owner.get(`${url}?w=200`)).bytes).metadata()).width).toBe(200);
    expect((await sharp((await owner.get(url)).bytes).metadata()).width).toBe(1600);
    expect((await (await server.signUp()).get(url)).status).toBe(404);
    expect((await server.visitor().get(url)).status).toBe(401);
  });

  it('accepts HEIC and the first frame of a GIF', async () => {
    const heic = await displayP3Heic();
    const frames = Buffer.concat([Buffer.alloc(32 * 32 * 3, 200), Buffer.alloc(32 * 32 * 3, 20)]);
    const raw = { width: 32, height: 64, channels: 3 as const, pageHeight: 32 };
    const gif = await sharp(frames, { raw }).gif({ delay: 50 }).toBuffer();
    const sides = [];
    for (const photo of [heic, gif]) {
      const { bytes } = await owner.get(pictureOf(await create(photo)));
      const { width, height, pages = 1 } = await sharp(bytes).metadata();
      sides.push([width, height, pages]);
    }
    expect(sides).toEqual([
      [64, 64, 1],
      [32, 32, 1],
    ]);
  });

  it.each([
    ['a page that claims to be one', () => Promise.resolve(Buffer.from('<svg onload="alert(1)"/>')), 415],
    ['an empty file', () => Promise.resolve(Buffer.alloc(0)), 415],
    ['one cut off in the middle', async () => (await noise(1200, 900)).subarray(0, 60_000), 415],
    ['one of 11 MB', () => Promise.resolve(Buffer.alloc(11 * 1024 * 1024, 1)), 413],
    ['one byte more than 10 MB', () => Promise.resolve(Buffer.alloc(MAX_UPLOAD_BYTES + 1, 1)), 413],
    ['just 10 MB of nothing', () => Promise.resolve(Buffer.alloc(MAX_UPLOAD_BYTES, 1)), 415],
  ])('is rejected when it is %s, and no pet is created', async (_name, make, status) => {
    const before = await objectsIn(server.dataDir);
    const response = await create(await make());
    expect([response.status, response.body]).toMatchObject([status, { message: /photo/ }]);
    expect((await owner.get('/api/pets')).body).toEqual([]);
    expect(await objectsIn(server.dataDir)).toEqual(before);
  });

  it('shares the rate limit of uploads', async () => {
    const strict = await startTestServer({ env: { UPLOADS_PER_MINUTE: '2' } });
    const client = await strict.signUp();
    const statuses = [];
    for (let each = 1; each <= 3; each++) statuses.push((await create(await makePhoto(), client)).status);
    expect(statuses).toEqual([201, 201, 429]);
    expect((await addPet(client)).profileImageUrl).toBeNull();
    await strict.close();
  });

  it('counts against the account’s storage until it is replaced', async () => {
    const photo = await makePhoto({ width: 400, height: 400 });
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: String(10_000 / 1024 ** 3) } });
    owner = await small.signUp();
    const first = await create(photo);
    expect(first.status).toBe(201);
    const stored = await objectsIn(small.dataDir);
    const second = await create(await noise(300, 300));
    expect([second.status, second.body]).toMatchObject([413, { message: /album is full/ }]);
    expect((await owner.get('/api/pets')).body).toEqual([first.body]);
    expect(await objectsIn(small.dataDir)).toEqual(stored);
    for (let each = 1; each <= 5; each++) {
      expect((await edit((first.body as Pet).id, {}, photo)).status).toBe(200);
    }
    await small.close();
  });
});

describe('the crop of a profile picture', () => {
  it('is the one that was sent, to the pixel, beside the original', async () => {
    const photo = await makePhoto({ width: 90, height: 60, format: 'png', orientation: 6 });
    const response = await owner.request('POST', '/api/pets', {
      body: petForm({ name: 'Rex', species: 'dog', profileImageCrop: '15,10,30' }, photo),
    });
    const crop = cropOf(response);
    expect(crop).toMatchObject({ left: 15, top: 10, size: 30, width: 90, height: 60 });
    const { bytes } = await owner.get(pictureOf(response));
    const { width, height } = await sharp(bytes).metadata();
    // The boundary of red and blue is at 30, two thirds from the top.
    const colors = await Promise.all([0.02, 0.62, 0.71, 0.98].map((y) => colorAt(bytes, 0.5, y)));
    expect([width, height, ...colors]).toEqual([30, 30, 'red', 'red', 'blue', 'blue']);
    expect((await owner.get(`${crop?.originalUrl}/original`)).bytes).toEqual(photo);
  });

  it('is proposed by the server, with a preview if wanted', async () => {
    const photo = await makePhoto({ width: 90, height: 60 });
    const propose = (fields: Record<string, string>, picture?: Buffer) =>
      owner.request('POST', '/api/pets/picture-proposal', { body: petForm(fields, picture) });
    const proposal = await propose({}, photo);
    expect(proposal.body).toMatchObject({ width: 90, height: 60, size: 60, top: 0, preview: null });
    const { left } = proposal.body as { left: number };
    expect(cropOf(await create(photo))).toMatchObject({ left, top: 0, size: 60 });
    const { body } = await propose({ withPreview: 'true' }, photo);
    const preview = Buffer.from((body as { preview: string }).preview.split(',')[1] ?? '', 'base64');
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'webp', width: 90, height: 60 });
    expect((await propose({})).status).toBe(422);
    expect((await propose({}, Buffer.from('no photo'))).status).toBe(415);
  });

  it('is adjusted later, from the same original', async () => {
    const first = await create(await makePhoto({ width: 60, height: 90 }));
    const { id } = first.body as Pet;
    await server.drainJobs();
    const second = await adjust(id, '0,50,40', originalOf(first.body as Pet));
    expect(cropOf(second)).toEqual({ ...cropOf(first), left: 0, top: 50, size: 40 });
    const { bytes } = await owner.get(pictureOf(second));
    expect([(await sharp(bytes).metadata()).width, await colorAt(bytes, 0.5, 0.02)]).toEqual([40, 'blue']);
    await server.drainJobs();
    expect((await owner.get(pictureOf(first))).status).toBe(404);
    expect((await owner.get(cropOf(second)?.originalUrl ?? '')).status).toBe(200);
  });

  it('of a picture without an original is within the picture, which becomes the original', async () => {
    const first = await create(await makePhoto({ width: 90, height: 90 }));
    const { id } = first.body as Pet;
    await server.context.db.execute(
      `update pets set profile_original_id = null, profile_crop = null where id = '${id}'`,
    );
    expect((await owner.get(`/api/pets/${id}`)).body).toMatchObject({ profileImageCrop: null });
    for (const crop of ['9,9,60', '0,0,30']) {
      const adjusted = await adjust(id, crop, pictureOf(first).replace('/objects/', ''));
      expect(cropOf(adjusted)?.originalUrl).toBe(pictureOf(first));
      await server.drainJobs();
      expect((await owner.get(pictureOf(adjusted))).status).toBe(200);
      expect((await owner.get(pictureOf(first))).status).toBe(200);
    }
  });

  it('is adjusted in a full album', async () => {
    const pet = await addPet(owner, {}, await makePhoto({ width: 60, height: 90 }));
    await server.drainJobs();
    await server.context.db.execute(
      `update users set storage_limit_bytes = (select bytes from storage_usage where owner_id = users.id) where id = '${owner.userId}'`,
    );
    const adjusted = await adjust(pet.id, '0,0,20', originalOf(pet));
    expect(adjusted.status).toBe(200);
    expect(cropOf(adjusted)).toMatchObject({ left: 0, top: 0, size: 20 });
  });

  it('is of the picture that was looked at, not of one that replaced it', async () => {
    const pet = await addPet(owner, {}, await makePhoto({ width: 60, height: 90 }));
    expect((await edit(pet.id, { profileImageCrop: '0,0,40' })).status).toBe(422);
    const { body: replaced } = await edit(pet.id, {}, await makePhoto({ width: 90, height: 60 }));
    const late = await adjust(pet.id, '0,0,40', originalOf(pet));
    expect([late.status, late.body]).toMatchObject([409, { message: /changed elsewhere/ }]);
    expect((await owner.get(`/api/pets/${pet.id}`)).body).toEqual(replaced);
    await edit(pet.id, { removeProfileImage: 'true' });
    expect((await adjust(pet.id, '0,0,40', originalOf(replaced as Pet))).status).toBe(409);
  });

  it('must be within the picture, and of one', async () => {
    const pet = await addPet(owner, {}, await makePhoto({ width: 60, height: 90 }));
    for (const profileImageCrop of ['1,0,60', '0,31,60', '0,0,0', 'all', '0,0', '-1,0,9']) {
      expect((await adjust(pet.id, profileImageCrop, originalOf(pet))).status).toBe(422);
      expect((await edit(pet.id, { profileImageCrop }, await makePhoto())).status).toBe(422);
    }
    expect((await edit(pet.id, { profileImageCrop: '' })).body).toEqual(pet);
    const { id } = await addPet(owner);
    expect((await edit(id, { profileImageCrop: '0,0,9' })).status).toBe(422);
  });
});

describe('replacing a profile picture', () => {
  it('deletes the previous image with its objects', async () => {
    const first = await create(await makePhoto());
    const { id } = first.body as Pet;
    await server.drainJobs();
    const response = await edit(id, {}, await makePhoto({ width: 90, height: 60 }));
    expect(response.status).toBe(200);
    const { profileImageUrl, profileImageCrop } = response.body as Pet;
    expect(response.body).toEqual({ ...(first.body as Pet), profileImageUrl, profileImageCrop });
    expect(pictureOf(response)).not.toBe(pictureOf(first));
    await server.drainJobs();
    expect((await owner.get(pictureOf(first))).status).toBe(404);
    expect((await owner.get(pictureOf(response))).status).toBe(200);
    const id1 = pictureOf(first).replace('/objects/', '');
    expect((await objectsIn(server.dataDir)).filter((file) => file.includes(id1))).toEqual([]);
  });

  it('concurrently stores one and deletes the others', async () => {
    const empty = await objectsIn(server.dataDir);
    const { id } = await addPet(owner, {}, await makePhoto());
    const photos = await Promise.all([1, 2, 3].map((each) => makePhoto({ width: 60 + each })));
    const responses = await Promise.all(photos.map((photo) => edit(id, {}, photo)));
    expect(responses.map((each) => each.status)).toEqual([200, 200, 200]);
    await server.drainJobs();
    const { profileImageUrl } = (await owner.get(`/api/pets/${id}`)).body as Pet;
    const shown = await Promise.all(responses.map(async (each) => (await owner.get(pictureOf(each))).status));
    expect(shown.sort()).toEqual([200, 404, 404]);
    expect((await owner.get(profileImageUrl ?? '')).status).toBe(200);
    // One original, its square and four widths of that.
    expect(await objectsIn(server.dataDir)).toHaveLength(empty.length + 6);
  });

  it('keeps the previous image when the edit fails', async () => {
    const { id, profileImageUrl } = await addPet(owner, {}, await makePhoto());
    const stored = await objectsIn(server.dataDir);
    expect((await edit(id, { name: 'Max' }, Buffer.from('no photo'))).status).toBe(415);
    expect((await edit(id, { name: '' }, await makePhoto())).status).toBe(422);
    expect(await objectsIn(server.dataDir)).toEqual(stored);
    expect((await owner.get(`/api/pets/${id}`)).body).toMatchObject({ name: 'Rex', profileImageUrl });
  });
});

describe('removing a profile picture', () => {
  it('deletes its image and objects, and nothing else', async () => {
    const before = await objectsIn(server.dataDir);
    const pet = await addPet(owner, { breed: 'Beagle' }, await makePhoto());
    await server.drainJobs();
    expect((await edit(pet.id, { removeProfileImage: 'false' })).body).toEqual(pet);
    const response = await edit(pet.id, { removeProfileImage: 'true' });
    expect(response.body).toEqual({ ...pet, profileImageUrl: null, profileImageCrop: null });
    await server.drainJobs();
    expect(await objectsIn(server.dataDir)).toEqual(before);
    expect((await edit(pet.id, { removeProfileImage: 'true' })).status).toBe(200);
  });

  it('happens when the pet is deleted, while memories keep their photos', async () => {
    const pet = await addPet(owner, {}, await makePhoto());
    const memory = await addMemory(owner, { petId: pet.id });
    await server.drainJobs();
    expect((await owner.request('DELETE', `/api/pets/${pet.id}`)).status).toBe(204);
    await server.drainJobs();
    expect((await owner.get(pet.profileImageUrl ?? '')).status).toBe(404);
    expect((await owner.get(memory.imageUrl)).status).toBe(200);
    const stored = (await objectsIn(server.dataDir)).join();
    expect(stored).not.toContain(pet.profileImageUrl?.replace('/objects/', ''));
    expect(stored).toContain(memory.imageUrl.replace('/objects/', ''));
  });
});

describe('a failing storage', () => {
  const down = () => Promise.reject(new UnavailableError());

  /** The real storage, failing until it is repaired. */
  async function startWith(faultOf: (real: ObjectStorage) => Partial<ObjectStorage>) {
    const faulty = await startTestServer({ overrides: { clock } });
    const { storage } = faulty.context;
    const real = { ...storage };
    Object.assign(storage, faultOf(real));
    owner = await faulty.signUp();
    return { ...faulty, mend: () => Object.assign(storage, real) };
  }

  it('responds with 503 and leaves nothing half-done', async () => {
    await startWith(() => ({ write: down, delete: down }));
    const response = await create(await makePhoto());
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    expect((await owner.get('/api/pets')).body).toEqual([]);
    const { id } = await addPet(owner);
    expect((await edit(id, { name: 'Max' }, await makePhoto())).status).toBe(503);
    expect((await owner.get(`/api/pets/${id}`)).body).toMatchObject({ name: 'Rex', profileImageUrl: null });
  });

  it('leaves only objects that the purge of uploads finds', async () => {
    const faulty = await startWith((real) => ({
      write: (...object) => real.write(...object).then(down),
      delete: down,
    }));
    expect((await create(await makePhoto())).status).toBe(503);
    expect(await objectsIn(faulty.dataDir)).toHaveLength(1);
    faulty.mend();
    now = new Date(now.getTime() + 29 * 60 * 60 * 1000);
    const { db, jobs } = faulty.context;
    await db.transaction((tx) => jobs.enqueue(tx, purgeUploadsJob, {}));
    await faulty.drainJobs();
    expect(await objectsIn(faulty.dataDir)).toEqual([]);
  });
});

function noise(width: number, height: number): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: 'grey' };
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 40 } } })
    .jpeg()
    .toBuffer();
}
