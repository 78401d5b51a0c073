import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caricature } from '#shared/album/caricature';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { ShareList } from '#shared/album/share';
import { getPet } from '../pets/pet-queries.ts';
import {
  askForCaricature,
  beginCaricature,
  generateCaricature,
  findCaricature,
  listCaricatures,
  signUpWithPet,
  startServerWithOpenai,
  type PetOwner,
} from '../../testing/data/caricatures.ts';
import { openEventStream } from '../../testing/clients/event-stream.ts';
import { addContact, addMemory, addPet, deleteMemory, petForm } from '../../testing/data/factories.ts';
import { readOutbox } from '../../testing/clients/dev-outbox.ts';
import { waitForBlockedConnection } from '../../testing/timing/lock-waits.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import { objectsOf } from '../../testing/assertions/stored-objects.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const NOT_FINISHED = [409, { message: 'This caricature is not finished.', code: 'conflict' }];

let server: TestServer;
let owner: PetOwner;

beforeAll(async () => {
  ({ server } = await startServerWithOpenai({ env: { MAIL_GROUPING_SECONDS: '0' } }));
});
beforeEach(async () => {
  owner = await signUpWithPet(server);
});

const call = async (method: string, { id }: Caricature, action = '') => {
  const { status, body } = await owner.request(method, `/api/caricatures/${id}${action}`);
  return [status, body];
};
const purge = async (memory: Memory) => {
  await deleteMemory(owner, memory.id);
  await owner.request('DELETE', `/api/memories/deleted/${memory.id}`);
  await server.drainJobs();
};

describe('POST /api/caricatures/generate', () => {
  it('responds at once and shows the image when all variants exist', async () => {
    const asked = await askForCaricature(owner);
    expect(asked.status).toBe(202);
    const begun = asked.body as Caricature;
    expect(begun).toMatchObject({
      petId: owner.pet.id,
      memoryId: owner.memory.id,
      originalImageUrl: owner.memory.imageUrl,
      status: 'generating',
      style: 'comic',
      failureReason: null,
      caricatureImageUrl: null,
      shareUrl: null,
    });
    await server.drainJobs();
    const caricature = await findCaricature(owner, begun);
    expect(caricature).toMatchObject({
      status: 'completed',
      failureReason: null,
      createdAt: begun.createdAt,
    });
    const { bytes, headers } = await owner.get(caricature.caricatureImageUrl ?? '');
    expect(headers.get('Content-Type')).toBe('image/png');
    const { format, exif } = await sharp(bytes).metadata();
    expect({ format, exif }).toEqual({ format: 'png', exif: undefined });
    const small = await owner.get(`${caricature.caricatureImageUrl}?w=200`);
    expect(small.headers.get('Content-Type')).toBe('image/webp');
    const stranger = await server.signUp();
    expect((await stranger.get(caricature.caricatureImageUrl ?? '')).status).toBe(404);
  });

  it('returns the same caricature while it is generating, also concurrently, and another for another style', async () => {
    const responses = await atTheSameMoment(() => askForCaricature(owner));
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(responses.map(({ body }) => (body as Caricature).id)).size).toBe(1);
    const [comic] = await listCaricatures(owner);
    const pencil = await beginCaricature(owner, { style: 'pencil' });
    expect(pencil.id).not.toBe(comic?.id);
    await server.drainJobs();
    expect((await listCaricatures(owner)).map(({ status }) => status)).toEqual(['completed', 'completed']);
    const again = await beginCaricature(owner);
    expect([comic?.id, pencil.id]).not.toContain(again.id);
  });

  it('accepts the URL of a width', async () => {
    const { id: petId } = owner.pet;
    const imageUrl = `${owner.memory.imageUrl}?w=400`;
    const asked = await owner.post('/api/caricatures/generate', { petId, imageUrl });
    expect(asked.body).toMatchObject({ originalImageUrl: owner.memory.imageUrl });
  });

  it("accepts only photos of this owner's memories and this owner's pets", async () => {
    const stranger = await signUpWithPet(server);
    const pictured = await addPet(owner, {}, await makePhoto());
    const deleted = await addMemory(owner);
    await deleteMemory(owner, deleted.id);
    const { id: petId } = owner.pet;
    const { imageUrl } = owner.memory;
    const pet = 'This pet was not found.';
    const photo = 'This photo was not found.';
    for (const [body, message] of [
      [{ petId: stranger.pet.id, imageUrl }, pet],
      [{ petId: 'rex', imageUrl }, pet],
      [{ petId: '', imageUrl }, pet],
      [{ petId, imageUrl: stranger.memory.imageUrl }, photo],
      [{ petId, imageUrl: deleted.imageUrl }, photo],
      [{ petId, imageUrl: pictured.profileImageUrl }, photo],
      [{ petId, imageUrl: 'https://elsewhere.example/objects/1' }, photo],
      [{ petId, imageUrl: `/objects/${'x'.repeat(100_000)}` }, photo],
    ] as const) {
      const { status, body: error } = await owner.post('/api/caricatures/generate', body);
      expect([status, error]).toEqual([404, { message, code: 'not-found' }]);
    }
    expect(await listCaricatures(owner)).toEqual([]);
  });

  it('rejects unknown styles and values that are not text', async () => {
    const { id: petId } = owner.pet;
    const rejected = await owner.post('/api/caricatures/generate', { petId, imageUrl: 7, style: 'cubist' });
    expect(rejected.status).toBe(422);
    expect((rejected.body as { fields: object }).fields).toEqual({
      imageUrl: 'The photo must be given by its imageUrl',
      style: 'Please choose a style from the list',
    });
  });

  it('starts and counts none for a full album', async () => {
    const small = await startTestServer({ env: { STORAGE_LIMIT_GB: '0.003' } });
    const here = await signUpWithPet(small);
    const rejected = await askForCaricature(here);
    expect(rejected.status).toBe(413);
    expect((rejected.body as { message: string }).message).toContain('Your album is full');
    expect((await here.get('/api/caricatures/options')).body).toMatchObject({ remaining: 10 });
    await small.close();
  });
});

describe('the lists of caricatures', () => {
  it('list newest first, all or of one pet, in pages', async () => {
    const other = await addPet(owner, { name: 'Mia' });
    const rex = await beginCaricature(owner);
    const mia = (
      await owner.post('/api/caricatures/generate', {
        petId: other.id,
        imageUrl: owner.memory.imageUrl,
        style: 'pencil',
      })
    ).body as Caricature;
    expect((await listCaricatures(owner)).map(({ id }) => id)).toEqual([mia.id, rex.id]);
    expect((await owner.get(`/api/pets/${owner.pet.id}/caricatures`)).body).toEqual([rex]);
    const first = await owner.get('/api/caricatures?limit=1');
    expect(first.body).toEqual([mia]);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    expect((await owner.get(next)).body).toEqual([rex]);
    const stranger = await server.signUp();
    expect((await stranger.get(`/api/pets/${owner.pet.id}/caricatures`)).status).toBe(404);
    expect(await listCaricatures(stranger)).toEqual([]);
  });

  it('send events to open pages', async () => {
    const events = await openEventStream(owner, server.origin);
    const begun = await beginCaricature(owner);
    let change = await events.nextChange();
    // Events of the earlier pet and memory may still arrive.
    while (change.kind !== 'caricature') change = await events.nextChange();
    expect(change.ids).toEqual([begun.id]);
    await events.stop();
  });
});

describe('POST /api/caricatures/generate with an Idempotency-Key', () => {
  const generate = (key: string, { style = 'comic', client = owner } = {}) =>
    client.request('POST', '/api/caricatures/generate', {
      json: { petId: owner.pet.id, imageUrl: owner.memory.imageUrl, style },
      headers: { 'Idempotency-Key': key },
    });

  it('starts one per key, even after the first is completed', async () => {
    const first = await generate('key');
    expect(first.status).toBe(202);
    await server.drainJobs();
    const again = await generate('key');
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({ id: (first.body as Caricature).id, status: 'completed' });
    await server.drainJobs();
    expect(await listCaricatures(owner)).toHaveLength(1);
    const other = await generate('other');
    expect((other.body as Caricature).id).not.toBe((first.body as Caricature).id);
  });

  it('starts one for concurrent requests', async () => {
    const responses = await atTheSameMoment(() => generate('key'));
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202]);
    const [only, ...others] = await listCaricatures(owner);
    expect(others).toEqual([]);
    for (const { body } of responses) expect(body).toEqual(only);
  });

  it('responds with 422 for another style and starts none', async () => {
    await generate('key');
    const rejected = await generate('key', { style: 'pencil' });
    expect(rejected.status).toBe(422);
    const message = 'This form was already sent with different content. Please open it again.';
    expect(rejected.body).toMatchObject({ fields: { 'Idempotency-Key': message } });
    expect(await listCaricatures(owner)).toHaveLength(1);
  });

  it('can be reused after a rejected request', async () => {
    const newcomer = await signUpWithPet(server, { agrees: false });
    const ask = () =>
      newcomer.request('POST', '/api/caricatures/generate', {
        json: { petId: newcomer.pet.id, imageUrl: newcomer.memory.imageUrl },
        headers: { 'Idempotency-Key': 'key' },
      });
    expect((await ask()).status).toBe(409);
    await newcomer.post('/api/caricatures/consent');
    expect((await ask()).status).toBe(202);
  });

  it('works for redo', async () => {
    const caricature = await generateCaricature(server, owner);
    const redo = () =>
      owner.request('POST', `/api/caricatures/${caricature.id}/redo`, {
        headers: { 'Idempotency-Key': 'key' },
      });
    const first = await redo();
    await server.drainJobs();
    expect((await redo()).body).toMatchObject({ id: (first.body as Caricature).id });
    expect(await listCaricatures(owner)).toHaveLength(2);
  });
});

describe('POST /api/caricatures/:id/redo', () => {
  it('restarts a failed caricature once for repeated requests', async () => {
    const begun = await beginWithoutPhoto();
    await server.drainJobs();
    expect(await findCaricature(owner, begun)).toMatchObject({
      status: 'failed',
      failureReason: 'bad-input',
    });
    const responses = await atTheSameMoment(() => call('POST', begun, '/redo'));
    for (const response of responses)
      expect(response).toMatchObject([202, { id: begun.id, status: 'generating', failureReason: null }]);
    expect(await listCaricatures(owner)).toHaveLength(1);
  });

  it('starts another from a completed caricature once for repeated requests', async () => {
    const caricature = await generateCaricature(server, owner);
    const responses = await atTheSameMoment(() => call('POST', caricature, '/redo'));
    const ids = responses.map(([status, body]) => [status, (body as Caricature).id]);
    expect(ids).toEqual([ids[0], ids[0], ids[0]]);
    expect(ids[0]).not.toEqual([202, caricature.id]);
    expect(await listCaricatures(owner)).toMatchObject([
      { status: 'generating', style: caricature.style, petId: caricature.petId },
      caricature,
    ]);
  });

  it('returns a generating caricature, and rejects one whose photo was deleted', async () => {
    const begun = await beginCaricature(owner);
    expect(await call('POST', begun, '/redo')).toEqual([202, begun]);
    await server.drainJobs();
    await deleteMemory(owner, owner.memory.id);
    expect(await call('POST', begun, '/redo')).toEqual([
      409,
      { message: 'The photo of this caricature was deleted.', code: 'conflict' },
    ]);
  });
});

describe('POST /api/caricatures/:id/keep', () => {
  it('creates one memory for repeated requests, which contacts receive', async () => {
    await addContact(owner, { email: `${owner.userId}@family.example` });
    const caricature = await generateCaricature(server, owner);
    const responses = await atTheSameMoment(() => call('POST', caricature, '/keep'));
    const kept = responses[0]?.[1] as Memory;
    for (const response of responses) expect(response).toEqual([201, kept]);
    expect(kept).toMatchObject({ petId: owner.pet.id, source: 'caricature', tags: ['caricature'] });
    expect((await owner.get('/api/memories?limit=2')).body).toMatchObject([
      { id: kept.id },
      { id: owner.memory.id },
    ]);
    await server.drainJobs();
    const mails = (await readOutbox(server.dataDir)).filter(({ to }) => to.startsWith(owner.userId));
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('added you'),
      expect.stringContaining('Rex'),
    ]);
  });

  it('captions the memory with the pet’s name, which can be searched and changed', async () => {
    const name = `Señor${owner.userId.slice(0, 8)}`;
    await owner.request('PATCH', `/api/pets/${owner.pet.id}`, { body: petForm({ name }) });
    const caricature = await generateCaricature(server, owner);
    const [, kept] = (await call('POST', caricature, '/keep')) as [number, Memory];
    expect(kept.caption).toBe(`${name}'s caricature`);
    const find = async (q: string) =>
      ((await owner.get(`/api/memories/search?q=${encodeURIComponent(q)}`)).body as Memory[]).map(
        ({ id }) => id,
      );
    expect(await find(`${name}'s caricature`)).toEqual([kept.id]);
    const edited = await owner.request('PATCH', `/api/memories/${kept.id}`, {
      json: { caption: 'As a hero' },
    });
    expect(edited.body).toMatchObject({ caption: 'As a hero' });
    expect(await find('hero')).toEqual([kept.id]);
    expect((await call('POST', caricature, '/keep'))[1]).toMatchObject({ id: kept.id, caption: 'As a hero' });
  });

  it('captions the memory without a name when the pet was deleted', async () => {
    const caricature = await generateCaricature(server, owner);
    await owner.request('DELETE', `/api/pets/${owner.pet.id}`);
    const [status, kept] = await call('POST', caricature, '/keep');
    expect([status, kept]).toMatchObject([201, { caption: 'Caricature', petId: null }]);
  });

  it('copies the image, and creates another memory after the first was deleted', async () => {
    const caricature = await generateCaricature(server, owner);
    const [, kept] = (await call('POST', caricature, '/keep')) as [number, Memory];
    await purge(kept);
    expect(await findCaricature(owner, caricature)).toEqual(caricature);
    const [, again] = (await call('POST', caricature, '/keep')) as [number, Memory];
    expect(again.id).not.toBe(kept.id);
    await call('DELETE', caricature);
    await server.drainJobs();
    expect((await owner.get(again.imageUrl)).status).toBe(200);
  });

  it('requires a completed caricature', async () => {
    expect(await call('POST', await beginCaricature(owner), '/keep')).toEqual(NOT_FINISHED);
  });
});

describe('POST /api/caricatures/:id/profile-picture', () => {
  it('crops the caricature to a square profile picture', async () => {
    const caricature = await generateCaricature(server, owner);
    const [status, pet] = (await call('POST', caricature, '/profile-picture')) as [number, Pet];
    expect(status).toBe(200);
    expect((await owner.get(`/api/pets/${owner.pet.id}`)).body).toEqual(pet);
    const { width, height } = await sharp((await owner.get(pet.profileImageUrl ?? '')).bytes).metadata();
    expect(width).toBe(height);
    await call('DELETE', caricature);
    await server.drainJobs();
    expect((await owner.get(pet.profileImageUrl ?? '')).status).toBe(200);
  });

  it('requires a completed caricature and a pet', async () => {
    const begun = await beginCaricature(owner);
    expect(await call('POST', begun, '/profile-picture')).toEqual(NOT_FINISHED);
    await server.drainJobs();
    await owner.request('DELETE', `/api/pets/${owner.pet.id}`);
    expect(await call('POST', begun, '/profile-picture')).toEqual([
      409,
      { message: 'The pet of this caricature was deleted.', code: 'conflict' },
    ]);
  });
});

describe('the public page of a caricature', () => {
  const pathOf = ({ url }: { url: string }) => new URL(url).pathname;

  it('is available to anyone with the link until it is revoked', async () => {
    const caricature = await generateCaricature(server, owner);
    const [status, shared] = (await call('POST', caricature, '/share')) as [number, { url: string }];
    expect(status).toBe(200);
    expect(await call('POST', caricature, '/share')).toEqual([200, shared]);
    expect(await findCaricature(owner, caricature)).toEqual({ ...caricature, shareUrl: shared.url });
    const page = await server.visitor().get(pathOf(shared));
    expect(page.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(page.text).toContain('Rex as a cartoon');
    expect(page.text).not.toContain(owner.memory.imageUrl);
    const picture = await server.visitor().get(`${pathOf(shared)}/photo.jpg`);
    expect((await sharp(picture.bytes).metadata()).format).toBe('jpeg');
    const [listed] = ShareList.parse((await owner.get('/api/shares?for=anyone')).body);
    expect(listed).toMatchObject({
      url: shared.url,
      memoryId: null,
      caricatureId: caricature.id,
      imageUrl: caricature.caricatureImageUrl,
    });

    expect(await call('DELETE', caricature, '/share')).toEqual([204, null]);
    expect((await server.visitor().get(pathOf(shared))).status).toBe(404);
    expect(await findCaricature(owner, caricature)).toEqual(caricature);
    const [, renewed] = (await call('POST', caricature, '/share')) as [number, { url: string }];
    expect(renewed.url).not.toBe(shared.url);
  });

  it('is deleted with the caricature, not with its pet or memory', async () => {
    const caricature = await generateCaricature(server, owner);
    const [, shared] = (await call('POST', caricature, '/share')) as [number, { url: string }];
    await owner.request('DELETE', `/api/pets/${owner.pet.id}`);
    await purge(owner.memory);
    expect((await server.visitor().get(pathOf(shared))).text).toContain('A caricature');
    await call('DELETE', caricature);
    for (const path of [pathOf(shared), `${pathOf(shared)}/photo.jpg`])
      expect((await server.visitor().get(path)).status).toBe(404);
    expect((await owner.get('/api/shares')).body).toEqual([]);
  });

  it('requires a completed caricature', async () => {
    const begun = await beginCaricature(owner);
    expect(await call('POST', begun, '/share')).toEqual(NOT_FINISHED);
    expect(await call('DELETE', begun, '/share')).toEqual([204, null]);
  });
});

describe('GET /api/caricatures/:id/file', () => {
  it('is a PNG named after the pet', async () => {
    const caricature = await generateCaricature(server, owner);
    const download = () => owner.get(`/api/caricatures/${caricature.id}/file`);
    const file = await download();
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename=Rex-caricature.png',
    });
    expect((await sharp(file.bytes).metadata()).format).toBe('png');
    for (const [name, expected] of [
      ['Ünal/Öz', "filename*=UTF-8''%C3%9Cnal%20%C3%96z-caricature.png"],
      ['../..', 'filename="Your Pet-caricature.png"'],
      ['Rex\u202Egnp.exe', 'filename=Rexgnp.exe-caricature.png'],
      ['毛毛', "filename*=UTF-8''%E6%AF%9B%E6%AF%9B-caricature.png"],
    ]) {
      const form = new FormData();
      form.append('name', name ?? '');
      await owner.request('PATCH', `/api/pets/${owner.pet.id}`, { body: form });
      expect((await download()).headers.get('Content-Disposition')).toContain(expected);
    }
    await owner.request('DELETE', `/api/pets/${owner.pet.id}`);
    expect((await download()).headers.get('Content-Disposition')).toContain('Your Pet-caricature.png');
  });

  it('requires a completed caricature', async () => {
    expect(await call('GET', await beginCaricature(owner), '/file')).toEqual(NOT_FINISHED);
  });
});

describe('deleting a caricature', () => {
  it('deletes all stored objects of a caricature', async () => {
    const caricature = await generateCaricature(server, owner);
    const objects = await objectsOf(server, owner.userId, { imageUrl: caricature.caricatureImageUrl ?? '' });
    expect(await objects.stored()).toHaveLength(5);
    expect(await call('DELETE', caricature)).toEqual([204, null]);
    await server.drainJobs();
    expect(await objects.stored()).toEqual([]);
    expect(await listCaricatures(owner)).toEqual([]);
    expect((await call('DELETE', caricature))[0]).toBe(404);
  });

  it('leaves the caricature when its pet or memory is deleted', async () => {
    const caricature = await generateCaricature(server, owner);
    await owner.request('DELETE', `/api/pets/${owner.pet.id}`);
    expect(await findCaricature(owner, caricature)).toEqual({ ...caricature, petId: null });
    await deleteMemory(owner, owner.memory.id);
    expect(await findCaricature(owner, caricature)).toEqual({ ...caricature, petId: null });
    await purge(owner.memory);
    expect(await findCaricature(owner, caricature)).toEqual({
      ...caricature,
      petId: null,
      memoryId: null,
      originalImageUrl: null,
    });
    expect((await owner.get(caricature.caricatureImageUrl ?? '')).status).toBe(200);
  });
});

/** Three concurrent calls, all waiting for the pet's lock before the first continues. */
async function atTheSameMoment<Result>(ask: () => Promise<Result>): Promise<Result[]> {
  return server.context.db
    .transaction(async (tx) => {
      await getPet(tx, owner.userId, owner.pet.id, 'update');
      const responses = Promise.all([ask(), ask(), ask()]);
      await waitForBlockedConnection(server.databaseUrl, 3);
      return { responses };
    })
    .then(({ responses }) => responses);
}

/** Fails, since the stored photo is lost. */
async function beginWithoutPhoto(): Promise<Caricature> {
  await server.drainJobs();
  const photo = await objectsOf(server, owner.userId, owner.memory);
  for (const key of await photo.stored()) await server.context.storage.delete(key);
  return beginCaricature(owner);
}
