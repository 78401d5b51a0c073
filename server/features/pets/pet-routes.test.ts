import { describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { Pet, PetList } from '#shared/album/pet';
import { readPages } from '../../testing/clients/read-pages.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory, addPet, petForm } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { openTestPool } from '../../testing/environment/test-pool.ts';

const now = new Date('2026-06-01T12:00:00.123Z');

const server = await startTestServer({ overrides: { clock: { now: () => now } } });
const owner = await server.signUp();

/** Delays the insertion of a memory, so that concurrent requests can interleave. */
const SLOW_UPDATES = `
  create function wait_a_little() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.5); return new; end $$;
  create trigger slow before update on memories for each row execute function wait_a_little();`;

const create = (fields: Record<string, string>, client: TestClient = owner) =>
  client.request('POST', '/api/pets', { body: petForm(fields) });
const edit = (id: string, fields: Record<string, string>, client: TestClient = owner) =>
  client.request('PATCH', `/api/pets/${id}`, { body: petForm(fields) });
const names = (body: unknown) => PetList.parse(body).map((pet) => pet.name);

async function createAll(client: TestClient, all: string[]): Promise<void> {
  for (const name of all) await addPet(client, { name });
}

describe('the limits of pets', () => {
  it('are 500 an album, also for concurrent requests', async () => {
    const client = await server.signUp();
    const { db } = server.context;
    await db.execute(`insert into pets (id, owner_id, name, species, created_at)
      select gen_random_uuid(), '${client.userId}', 'Pet ' || n, 'dog', now() from generate_series(1, 499) n`);
    const responses = await Promise.all([1, 2, 3].map(() => create({ name: 'Rex', species: 'dog' }, client)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toEqual({
      message: 'An album has at most 500 pets.',
      code: 'conflict',
    });
  });

  it('are 100 characters a name', async () => {
    const client = await server.signUp();
    expect((await create({ name: 'R'.repeat(100), species: 'dog' }, client)).status).toBe(201);
    const { status, body } = await create({ name: 'R'.repeat(101), species: 'dog' }, client);
    expect(status).toBe(422);
    expect(body).toMatchObject({ fields: { name: 'Please use at most 100 characters' } });
  });
});

describe('GET /api/pets', () => {
  it('lists the user’s own pets in collation order', async () => {
    const client = await server.signUp();
    await createAll(client, ['zoe', 'Élan', 'bella', 'Ada', 'Eli', 'Bella', 'apple']);
    await addPet(owner, { name: 'Not yours' });
    const response = await client.get('/api/pets');
    expect(names(response.body)).toEqual(['Ada', 'apple', 'bella', 'Bella', 'Élan', 'Eli', 'zoe']);
    expect(response.headers.get('Link')).toBeNull();
  });

  it('paginates without gaps or duplicates, also for equal names', async () => {
    const client = await server.signUp();
    const long = 'Ñandú '.repeat(16);
    await createAll(client, ['Rex', 'rex', 'Rex', 'Rex', `${long}2`, `${long}1`, '犬']);
    const pages = (await readPages(client, '/api/pets?limit=2')).map(names);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1]);
    expect(pages.flat()).toEqual(names((await client.get('/api/pets')).body));
    expect((await readPages(client, '/api/pets?limit=1')).flatMap(names)).toEqual(pages.flat());
    expect(await readPages(client, '/api/pets?limit=7')).toHaveLength(1);
  });

  it('rejects invalid limits and cursors', async () => {
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const id = '01900000-0000-7000-8000-000000000001';
    for (const query of [
      'limit=0',
      'limit=1001',
      'cursor=',
      'cursor=abc',
      `cursor=${cursor(['Rex'])}`,
      `cursor=${cursor(['Rex', 'no-uuid'])}`,
      `cursor=${cursor(['nul\0', id])}`,
      `cursor=${cursor([{ a: 1 }, id])}`,
    ]) {
      expect([query, (await owner.get(`/api/pets?${query}`)).status]).toEqual([query, 422]);
    }
  });

  it('is cached privately and revalidated by ETag', async () => {
    const first = await owner.get('/api/pets');
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
    const etag = first.headers.get('ETag') ?? '';
    expect((await owner.get('/api/pets', { 'If-None-Match': etag })).status).toBe(304);
  });

  it('responds with 401 without a session', async () => {
    const response = await server.visitor().get('/api/pets');
    expect([response.status, response.body]).toEqual([
      401,
      { message: 'Unauthorized', code: 'session-lost' },
    ]);
  });
});

describe('GET /api/pets/:id', () => {
  it('returns the user’s own pet', async () => {
    const pet = await addPet(owner, { name: 'Luna' });
    expect((await owner.get(`/api/pets/${pet.id}`)).body).toEqual(pet);
  });

  it('responds with 404 for unknown and other users’ pets and malformed ids', async () => {
    const { id } = await addPet(owner);
    const other = await server.signUp();
    const responses = [
      await other.get(`/api/pets/${id}`),
      await owner.get('/api/pets/01900000-0000-7000-8000-000000000001'),
      await owner.get('/api/pets/no-uuid'),
    ];
    expect(responses.map((each) => each.status)).toEqual([404, 404, 404]);
  });
});

describe('POST /api/pets', () => {
  it('stores the trimmed fields', async () => {
    const response = await create({
      name: '  Luna ',
      species: 'cat',
      breed: ' Siamese ',
      age: '2 years',
      weight: '15 lbs',
      birthdayOrGotchaDay: '2024-02-29',
      description: ' Sleeps.\nPurrs. ',
    });
    expect(response.status).toBe(201);
    expect(Pet.parse(response.body)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'Luna',
      species: 'cat',
      breed: 'Siamese',
      age: '2 years',
      weight: '15 lbs',
      birthdayOrGotchaDay: '2024-02-29',
      description: 'Sleeps.\nPurrs.',
      profileImageUrl: null,
      profileImageCrop: null,
      createdAt: now.toISOString(),
    });
  });

  it('treats empty fields as absent and ignores unknown ones', async () => {
    const fields = { breed: '', age: ' ', weight: '', birthdayOrGotchaDay: '', description: '' };
    const response = await create({ name: 'Rex', species: 'dog', ...fields, ownerId: 'x', __proto__: 'x' });
    expect(response.body).toMatchObject({
      breed: null,
      age: null,
      weight: null,
      birthdayOrGotchaDay: null,
      description: null,
    });
    expect(response.body).not.toHaveProperty('ownerId');
  });

  it('accepts JSON', async () => {
    const response = await owner.post('/api/pets', { name: 'Rex', species: 'dog', breed: null, age: '3' });
    expect([response.status, response.body]).toMatchObject([201, { breed: null, age: '3' }]);
  });

  it('stores names in any script', async () => {
    for (const name of ['犬', 'كلب', '🐶🦴', "O'Malley; DROP TABLE pets", '<b>Rex</b>']) {
      expect((await create({ name, species: 'other' })).body).toMatchObject({ name });
    }
  });

  it.each([
    [{ species: 'dog' }, { name: 'Pet name is required' }],
    [{ name: '  ', species: 'dog' }, { name: 'Pet name is required' }],
    [{ name: 'Rex' }, { species: 'Species is required' }],
    [{ name: 'Rex', species: '' }, { species: 'Species is required' }],
    [{ name: 'Rex', species: 'dragon' }, { species: 'Please choose a species from the list' }],
    [{}, { name: 'Pet name is required', species: 'Species is required' }],
    [
      { name: 'Rex', species: 'dog', birthdayOrGotchaDay: '2026-02-29' },
      { birthdayOrGotchaDay: 'Please enter a valid date, like 2026-03-01' },
    ],
    [
      { name: 'Rex', species: 'dog', birthdayOrGotchaDay: '2026-03-01T00:00:00Z' },
      { birthdayOrGotchaDay: 'Please enter a valid date, like 2026-03-01' },
    ],
    [{ name: 'R\0x', species: 'dog' }, { name: 'Please remove invalid characters.' }],
    [
      { name: 'Rex', species: 'dog', profileImage: 'undefined' },
      { profileImage: 'Please choose a picture file' },
    ],
  ])('rejects %j', async (fields, problems) => {
    const response = await create(fields);
    expect([response.status, response.body]).toMatchObject([422, { fields: problems }]);
  });

  it('rejects values that are not text in JSON', async () => {
    const response = await owner.post('/api/pets', { name: '\ud800', species: 'dog' });
    expect([response.status, response.body]).toMatchObject([422, { fields: { name: /not text/ } }]);
  });

  it('stores a birthday independent of the time zone', async () => {
    for (const zone of ['Pacific/Auckland', 'America/Los_Angeles']) {
      const body = petForm({ name: 'Rex', species: 'dog', birthdayOrGotchaDay: '2020-01-01' });
      const made = await owner.request('POST', '/api/pets', { body, headers: { 'X-Time-Zone': zone } });
      expect(made.body).toMatchObject({ birthdayOrGotchaDay: '2020-01-01' });
    }
  });
});

describe('PATCH /api/pets/:id', () => {
  it('changes the given fields, clears empty ones and leaves the rest', async () => {
    const pet = await addPet(owner, { breed: 'Beagle', age: '2 years', weight: '15 lbs' });
    const response = await edit(pet.id, { name: 'Max', age: '', birthdayOrGotchaDay: '2021-05-06' });
    expect(response.status).toBe(200);
    const expected = { ...pet, name: 'Max', age: null, birthdayOrGotchaDay: '2021-05-06' };
    expect(response.body).toEqual(expected);
    expect((await owner.get(`/api/pets/${pet.id}`)).body).toEqual(expected);
    expect((await edit(pet.id, { birthdayOrGotchaDay: '' })).body).toMatchObject({
      birthdayOrGotchaDay: null,
    });
  });

  it('changes nothing without fields', async () => {
    const pet = await addPet(owner, { breed: 'Beagle' });
    const response = await owner.request('PATCH', `/api/pets/${pet.id}`, { json: {} });
    expect([response.status, response.body]).toEqual([200, pet]);
  });

  it.each([
    [{ name: '' }, { name: 'Pet name is required' }],
    [{ species: '' }, { species: 'Species is required' }],
    [{ removeProfileImage: 'perhaps' }, { removeProfileImage: 'Please send true or false' }],
  ])('rejects %j', async (fields, problems) => {
    const { id } = await addPet(owner);
    const response = await edit(id, fields);
    expect([response.status, response.body]).toMatchObject([422, { fields: problems }]);
  });

  it('applies concurrent edits of different fields', async () => {
    const { id } = await addPet(owner);
    await Promise.all([
      edit(id, { breed: 'Beagle' }),
      edit(id, { weight: '9 kg' }),
      edit(id, { name: 'Max' }),
    ]);
    expect((await owner.get(`/api/pets/${id}`)).body).toMatchObject({
      name: 'Max',
      breed: 'Beagle',
      weight: '9 kg',
    });
  });

  it('updates the search terms of its memories', async () => {
    const { id: petId } = await addPet(owner, { name: 'Whiskers' });
    const { id } = await addMemory(owner, { petId });
    const found = async (q: string) =>
      ((await owner.get(`/api/memories/search?q=${q}`)).body as Memory[]).map((each) => each.id);
    expect(await found('whisk')).toEqual([id]);
    await edit(petId, { name: 'Mittens' });
    expect([await found('whisk'), await found('mitt')]).toEqual([[], [id]]);
    await owner.request('DELETE', `/api/pets/${petId}`);
    expect(await found('mitt')).toEqual([]);
  });

  it('responds with 404 for another user', async () => {
    const pet = await addPet(owner);
    expect((await edit(pet.id, { name: 'Mine' }, await server.signUp())).status).toBe(404);
    expect((await owner.get(`/api/pets/${pet.id}`)).body).toEqual(pet);
  });
});

describe('DELETE /api/pets/:id', () => {
  it('deletes the pet and leaves its memories without one', async () => {
    const { id: petId } = await addPet(owner);
    const memory = await addMemory(owner, { petId, caption: 'Still here' });
    const response = await owner.request('DELETE', `/api/pets/${petId}`);
    expect([response.status, response.text]).toEqual([204, '']);
    expect((await owner.get(`/api/pets/${petId}`)).status).toBe(404);
    const memories = (await owner.get('/api/memories')).body as Memory[];
    expect(memories.find(({ id }) => id === memory.id)).toEqual({ ...memory, petId: null });
    expect((await owner.get(memory.imageUrl)).status).toBe(200);
    expect((await owner.request('DELETE', `/api/pets/${petId}`)).status).toBe(404);
  });

  it('responds with 404 for another user', async () => {
    const { id } = await addPet(owner);
    const other = await server.signUp();
    expect((await other.request('DELETE', `/api/pets/${id}`)).status).toBe(404);
    expect((await owner.get(`/api/pets/${id}`)).status).toBe(200);
  });
});

describe('a pet that is changed while a memory is given to it', () => {
  async function giveMeanwhile(change: (client: TestClient, petPath: string) => Promise<{ status: number }>) {
    const busy = await startTestServer();
    const client = await busy.signUp();
    const { id: petId } = await addPet(client, { name: 'Whiskers' });
    const { id } = await addMemory(client);
    const pool = openTestPool(busy.databaseUrl);
    await pool.query(SLOW_UPDATES);
    const given = client.request('PATCH', `/api/memories/${id}`, { json: { petId } });
    while ((await pool.query(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount === 0);
    const changed = change(client, `/api/pets/${petId}`);
    expect([(await given).status, (await changed).status < 300]).toEqual([200, true]);
    const found = async (q: string) =>
      ((await client.get(`/api/memories/search?q=${q}`)).body as Memory[]).length;
    const counts = [await found('whiskers'), await found('mittens')];
    await pool.end();
    await busy.close();
    return counts;
  }

  it('is found by its new name only', async () => {
    const body = petForm({ name: 'Mittens' });
    expect(await giveMeanwhile((client, pet) => client.request('PATCH', pet, { body }))).toEqual([0, 1]);
  });

  it('is not found by its name after its deletion', async () => {
    expect(await giveMeanwhile((client, pet) => client.request('DELETE', pet))).toEqual([0, 0]);
  });
});
