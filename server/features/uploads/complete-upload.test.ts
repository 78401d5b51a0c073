import { createHash } from 'node:crypto';
import { access, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { ALBUM_FULL } from '#shared/api/api-error';
import { projectRoot } from '../../platform/process/project-root.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { completeUpload, insertPet, putPhoto } from '../../testing/data/factories.ts';
import { copyOfPhoto, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { variantKey } from '../images/image-variants.ts';

let server: TestServer;
let owner: TestClient & { userId: string };
let now = new Date('2026-06-01T12:00:00Z');

beforeAll(async () => {
  server = await startTestServer({
    overrides: { clock: { now: () => now } },
    env: { UPLOADS_PER_MINUTE: '1000', LOGIN_ATTEMPTS_PER_ADDRESS: '1000' },
  });
  owner = await server.signUp();
});

/** Widens the race: a memory's transaction stays open after its insert. */
const SLOW_INSERTS = `
  create function wait_a_little() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.3); return new; end $$;
  create trigger slow after insert on memories for each row execute function wait_a_little();`;

/** As an earlier release did, without reserving storage for it. */
async function putUnreserved({ context }: TestServer, client: TestClient, photo: Buffer): Promise<string> {
  const uploadURL = await putPhoto(client, photo);
  await context.db.execute('update uploads set byte_size = null');
  return uploadURL;
}

const countMemories = async () => ((await owner.get('/api/memories')).body as Memory[]).length;

describe('POST /api/memories/complete-upload', () => {
  it('turns the uploaded photo and the form values into a memory', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto({ width: 40, height: 60, orientation: 6 }));
    const petId = await insertPet(server.context.db, owner.userId);
    const response = await completeUpload(owner, {
      uploadURL,
      caption: ' First snow ',
      tags: 'snow, winter,,snow',
      memoryDate: '2026-03-01T08:30',
      petId,
    });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      caption: 'First snow',
      tags: ['snow', 'winter'],
      memoryDate: '2026-03-01T08:30',
      petId,
      isLiked: false,
      source: 'web',
      createdAt: now.toISOString(),
      width: 40,
      height: 60,
      placeholder: expect.stringMatching(/^[A-Za-z0-9+/=]{20,}$/) as string,
      imageUrl: expect.stringMatching(/^\/objects\/[0-9a-f-]{36}$/) as string,
    });
  });

  it('has stored the tile before its response', async () => {
    const { storage } = server.context;
    const uploadURL = await putPhoto(owner, await makePhoto({ width: 900, height: 600, orientation: 6 }));
    const { imageUrl } = (await completeUpload(owner, { uploadURL })).body as Memory;
    const tile = await storage.read(variantKey(imageUrl.replace('/objects/', ''), 400));
    const { format, width, height, exif } = await sharp(tile ?? Buffer.alloc(0)).metadata();
    expect({ format, width, height, exif }).toEqual({
      format: 'webp',
      width: 400,
      height: 267,
      exif: undefined,
    });
    await server.drainJobs();
    expect((await owner.get(`${imageUrl}?w=400`)).bytes).toEqual(tile);
  });

  it('treats empty fields as absent', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto());
    const response = await completeUpload(owner, {
      uploadURL,
      caption: '',
      tags: '',
      memoryDate: '',
      petId: '',
    });
    expect(response.body).toMatchObject({ caption: null, tags: [], memoryDate: null, petId: null });
  });

  it('identifies the upload by the path of its URL', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto());
    const response = await completeUpload(owner, { uploadURL: new URL(uploadURL).pathname });
    expect(response.status).toBe(201);
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    'reads a %s by its bytes, whatever type was announced',
    async (format) => {
      const uploadURL = await putPhoto(owner, await makePhoto({ format }), 'application/octet-stream');
      expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
    },
  );

  it('creates one memory for repeated and concurrent calls', async () => {
    const before = await countMemories();
    const uploadURL = await putPhoto(owner, await makePhoto());
    const answers = await Promise.all(Array.from({ length: 6 }, () => completeUpload(owner, { uploadURL })));
    expect(answers.map((each) => each.status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map((each) => (each.body as Memory).id)).size).toBe(1);
    const repeated = await completeUpload(owner, { uploadURL, caption: 'later' });
    expect([repeated.status, repeated.text]).toEqual([201, answers[0]?.text]);
    expect(await countMemories()).toBe(before + 1);
  });

  it('is 409 until something was uploaded', async () => {
    const asked = await owner.post('/api/objects/upload', { size: 1000 });
    const response = await completeUpload(owner, asked.body as { uploadURL: string });
    expect(response.status).toBe(409);
  });

  it('is 404 for another user’s upload, a foreign URL and an invalid one', async () => {
    const other = await server.signUp();
    const uploadURL = await putPhoto(owner, await makePhoto());
    for (const foreign of [
      uploadURL,
      'https://elsewhere.example/uploads/x',
      'nonsense',
      'http://[',
      '/uploads/../x',
    ]) {
      const response = await completeUpload(other, { uploadURL: foreign });
      expect([foreign, response.status]).toEqual([foreign, 404]);
    }
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });

  it('is 404 for another user’s pet and a malformed id, and can be retried', async () => {
    const other = await server.signUp();
    const uploadURL = await putPhoto(owner, await makePhoto());
    for (const petId of [await insertPet(server.context.db, other.userId), 'rex']) {
      expect((await completeUpload(owner, { uploadURL, petId })).status).toBe(404);
    }
    expect((await completeUpload(owner, { uploadURL })).status).toBe(201);
  });

  it('rejects invalid photos, repeatedly, and deletes their bytes', async () => {
    const fakes = [
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      Buffer.from('GIF89a but no more'),
      Buffer.from('BM but no more'),
      Buffer.alloc(5000),
      (await makePhoto({ width: 400, height: 400 })).subarray(0, 900),
    ];
    for (const fake of fakes) {
      const uploadURL = await putPhoto(owner, fake);
      const rejected = await completeUpload(owner, { uploadURL });
      expect(rejected.status).toBe(415);
      const again = await completeUpload(owner, { uploadURL });
      expect([again.status, again.body]).toEqual([415, rejected.body]);
      const id = new URL(uploadURL).pathname.replace('/uploads/', '');
      for (const folder of ['uploads', 'originals']) {
        await expect(access(join(server.dataDir, 'objects', folder, id))).rejects.toThrow('ENOENT');
      }
    }
  });

  it('defaults to the camera’s date, unless the person wants none', async () => {
    const photo = await readFile(join(projectRoot, 'server/testing/fixtures/iphone.heic'));
    const uploadURL = await putPhoto(owner, photo, 'application/octet-stream');
    expect((await completeUpload(owner, { uploadURL, memoryDate: '' })).body).toMatchObject({
      memoryDate: '2019-03-21T11:04',
    });
    const other = await server.signUp();
    const again = await putPhoto(other, photo, 'application/octet-stream');
    expect((await completeUpload(other, { uploadURL: again, memoryDate: '2020-01-01' })).body).toMatchObject({
      memoryDate: '2020-01-01',
    });
    const third = await server.signUp();
    const uploaded = await putPhoto(third, photo, 'application/octet-stream');
    const undated = { uploadURL: uploaded, memoryDate: '', isUndated: true, exifDate: '2019-03-21T11:04' };
    expect((await completeUpload(third, undated)).body).toMatchObject({ memoryDate: null, dateSource: null });
  });

  it('rejects a photo with a message when the album is full', async () => {
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: '0.00001' } });
    const client = await small.signUp();
    const photo = Buffer.concat([await makePhoto(), Buffer.alloc(6000)]);
    const [first, second] = [
      await putUnreserved(small, client, photo),
      await putUnreserved(small, client, copyOfPhoto(photo)),
    ];
    expect((await completeUpload(client, { uploadURL: first })).status).toBe(201);
    const rejected = await completeUpload(client, { uploadURL: second });
    expect([rejected.status, rejected.body]).toEqual([
      413,
      { message: expect.stringContaining('Your album is full') as string, code: ALBUM_FULL },
    ]);
    expect((await completeUpload(client, { uploadURL: second })).body).toEqual(rejected.body);
    expect((await client.post('/api/objects/upload', { size: photo.length })).status).toBe(413);
    const files = await readdir(join(small.dataDir, 'objects'), { recursive: true });
    expect(files.filter((file) => /^originals\/|\.webp$/.test(file))).toHaveLength(2);
  });

  it('neither exceeds the limit nor loses a photo when many are completed concurrently', async () => {
    const photo = Buffer.concat([await makePhoto(), Buffer.alloc(6000)]);
    const limit = (copyOfPhoto(photo).length * 2.5) / 1024 ** 3;
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: limit.toFixed(12) } });
    await small.context.db.execute(SLOW_INSERTS);
    const client = await small.signUp();
    const uploads: string[] = [];
    for (let n = 0; n < 5; n++) uploads.push(await putUnreserved(small, client, copyOfPhoto(photo)));
    const answers = await Promise.all(
      uploads.flatMap((uploadURL) => [1, 2, 3].map(() => completeUpload(client, { uploadURL }))),
    );
    const memories = (await client.get('/api/memories')).body as Memory[];
    expect(memories).toHaveLength(2);
    expect(answers.filter((each) => each.status === 201)).toHaveLength(6);
    expect(answers.filter((each) => each.status === 413)).toHaveLength(9);
    for (const { imageUrl } of memories)
      expect((await client.get(imageUrl)).bytes.subarray(-photo.length + 2).equals(photo.subarray(2))).toBe(
        true,
      );
  });

  it('rejects a date that does not exist', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto());
    const response = await completeUpload(owner, { uploadURL, memoryDate: '2026-02-30' });
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({
      fields: { memoryDate: expect.stringContaining('date') as string },
    });
  });

  it('is possible for a day', async () => {
    const uploadURL = await putPhoto(owner, await makePhoto());
    now = new Date(now.getTime() + 24 * 60 * 60 * 1000 + 1);
    expect((await completeUpload(owner, { uploadURL })).status).toBe(404);
  });

  it('accepts captions of any script and length', async () => {
    const caption = `שלום 👨‍👩‍👧 ${'ß'.repeat(100_000)}`;
    const uploadURL = await putPhoto(owner, await makePhoto());
    expect((await completeUpload(owner, { uploadURL, caption })).body).toMatchObject({ caption });
  });
});

describe('the SHA-256 of an upload', () => {
  const put = async (photo: Buffer, sha256: string, sent = photo) => {
    const request = { contentType: 'image/jpeg', size: photo.length, sha256 };
    const { uploadURL } = (await owner.post('/api/objects/upload', request)).body as { uploadURL: string };
    const { pathname, search } = new URL(uploadURL);
    const headers = { 'Content-Type': 'image/jpeg' };
    expect((await owner.request('PUT', pathname + search, { body: sent, headers })).status).toBe(200);
    return uploadURL;
  };
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  it('is compared when the upload is completed', async () => {
    const photo = await makePhoto();
    expect((await completeUpload(owner, { uploadURL: await put(photo, hashOf(photo)) })).status).toBe(201);
    const stored = async () => {
      const keys: string[] = [];
      for await (const { key } of server.context.storage.list())
        if (!key.startsWith('uploads/')) keys.push(key);
      return keys;
    };
    const before = [await countMemories(), await stored()];
    const damaged = Buffer.from(photo);
    damaged.writeUInt8(damaged.readUInt8(photo.length - 30) ^ 1, photo.length - 30);
    const uploadURL = await put(photo, hashOf(photo), damaged);
    for (const _ of [1, 2]) {
      const response = await completeUpload(owner, { uploadURL });
      expect([response.status, response.body]).toEqual([
        409,
        { message: 'The photo arrived damaged. Please try again.', code: 'conflict' },
      ]);
    }
    expect([await countMemories(), await stored()]).toEqual(before);
    expect((await completeUpload(owner, { uploadURL: await put(photo, hashOf(photo)) })).status).toBe(200);
  });

  it('that was damaged is told apart from a file that is no photo', async () => {
    const text = Buffer.from('not a photo');
    expect((await completeUpload(owner, { uploadURL: await put(text, hashOf(text)) })).status).toBe(415);
    const other = hashOf(await makePhoto());
    expect((await completeUpload(owner, { uploadURL: await put(text, other) })).status).toBe(409);
  });

  it('must be 64 hexadecimal digits', async () => {
    for (const sha256 of ['', 'abc', 'g'.repeat(64), 5, 'A'.repeat(65)])
      expect((await owner.post('/api/objects/upload', { size: 5, sha256 })).status).toBe(422);
  });
});
