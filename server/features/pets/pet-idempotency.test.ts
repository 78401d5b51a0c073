import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Pet } from '#shared/album/pet';
import { UnavailableError } from '../../platform/errors.ts';
import { purgeExpiredRowsJob } from '../../app/purge-expired-rows-job.ts';
import { petForm } from '../../testing/data/factories.ts';
import { makePhoto } from '../../testing/photos/photos.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer } from '../../testing/test-server.ts';

let owner: TestClient & { userId: string };
let now = new Date('2026-06-01T12:00:00Z');
const later = (hours: number) => {
  now = new Date(now.getTime() + hours * 60 * 60 * 1000);
};

const server = await startTestServer({
  overrides: { clock: { now: () => now } },
  env: { UPLOADS_PER_MINUTE: '1000' },
});

beforeEach(async () => {
  owner = await server.signUp();
});

const create = (key: string, fields: Record<string, string>, photo?: Uint8Array, client = owner) =>
  client.request('POST', '/api/pets', {
    body: petForm({ name: 'Rex', species: 'dog', ...fields }, photo),
    headers: { 'Idempotency-Key': key },
  });
const listPets = async (client = owner) => (await client.get('/api/pets')).body as Pet[];
const originals = () => readdir(join(server.dataDir, 'objects/originals')).catch(() => []);

describe('POST /api/pets with an Idempotency-Key', () => {
  it('creates one pet for repeated requests', async () => {
    const photo = await makePhoto();
    const first = await create('key', { breed: 'Beagle' }, photo);
    const again = await create('key', { breed: ' Beagle ' }, photo);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(await listPets()).toEqual([first.body]);
  });

  it('creates one pet and stores one image for concurrent requests', async () => {
    const photo = await makePhoto();
    const before = (await originals()).length;
    const responses = await Promise.all([1, 2, 3].map(() => create('key', {}, photo)));
    expect(responses.map((each) => each.status)).toEqual([201, 201, 201]);
    const pets = await listPets();
    expect(pets).toHaveLength(1);
    for (const { body } of responses) expect(body).toEqual(pets[0]);
    // With its square.
    expect(await originals()).toHaveLength(before + 2);
  });

  it('returns the same pet without repeating the work', async () => {
    const photo = await makePhoto();
    const first = await create('key', {}, photo);
    const { storage } = server.context;
    const real = { ...storage };
    Object.assign(storage, { write: () => Promise.reject(new UnavailableError()) });
    const responses = [await create('key', {}, photo), await create('other', {}, photo)];
    Object.assign(storage, real);
    expect(responses.map((each) => each.status)).toEqual([201, 503]);
    expect(responses[0]?.body).toEqual(first.body);
  });

  it('returns the pet as it is now, and 404 once it was deleted', async () => {
    const first = await create('key', {});
    const path = `/api/pets/${(first.body as Pet).id}`;
    const edited = await owner.request('PATCH', path, { body: petForm({ breed: 'Beagle' }) });
    const again = await create('key', {});
    expect([again.status, again.body]).toEqual([201, edited.body]);
    await owner.request('DELETE', path);
    expect((await create('key', {})).status).toBe(404);
    expect(await listPets()).toEqual([]);
  });

  it('stores no text of the pet beside the pet, which is what counts for the storage', async () => {
    // Postgres would compress a text that repeats itself.
    const words = Array.from({ length: 100 }, (_, n) => createHash('sha256').update(`${n}`).digest('base64'));
    const description = words.join(' ');
    const first = await create('key', { description });
    await owner.request('DELETE', `/api/pets/${(first.body as Pet).id}`);
    const { rows } = await server.context.db.execute(
      `select sum(pg_column_size(idempotency_keys)) as bytes from idempotency_keys where owner_id = '${owner.userId}'`,
    );
    expect(Number(rows[0]?.['bytes'])).toBeLessThan(500);
  });

  it('responds with 422 for another body or photo, and changes nothing', async () => {
    const photo = await makePhoto();
    const first = await create('key', {}, photo);
    const responses = [
      await create('key', { name: 'Max' }, photo),
      await create('key', {}),
      await create('key', {}, await makePhoto({ width: 61 })),
    ];
    expect(responses.map((each) => each.status)).toEqual([422, 422, 422]);
    const message = 'This form was already sent with different content. Please open it again.';
    expect(responses[0]?.body).toMatchObject({ fields: { 'Idempotency-Key': message } });
    expect(await listPets()).toEqual([first.body]);
  });

  it('is scoped to the user', async () => {
    const other = await server.signUp();
    const [mine, theirs] = [await create('key', {}), await create('key', {}, undefined, other)];
    expect((mine.body as Pet).id).not.toBe((theirs.body as Pet).id);
  });

  it('can be reused after a rejected request', async () => {
    expect((await create('key', { name: '' })).status).toBe(422);
    expect((await create('key', {}, Buffer.from('no photo'))).status).toBe(415);
    expect((await create('key', { name: 'Max' }, await makePhoto())).status).toBe(201);
    expect(await listPets()).toMatchObject([{ name: 'Max' }]);
  });

  it('can be reused after a server error, which leaves nothing behind', async () => {
    const { db } = server.context;
    const before = (await originals()).length;
    await db.execute(`create function break_down() returns trigger language plpgsql as
      $$ begin raise exception 'broken'; end $$`);
    await db.execute(`create trigger broken after insert on pets for each row execute function break_down()`);
    expect((await create('key', {}, await makePhoto())).status).toBe(500);
    await db.execute(`drop trigger broken on pets`);
    expect(await listPets()).toEqual([]);
    expect(await originals()).toHaveLength(before);
    expect((await create('key', { name: 'Max' })).status).toBe(201);
  });

  it('is stored for 24 hours, then purged', async () => {
    const first = await create('key', {});
    later(23.9);
    expect((await create('key', {})).body).toEqual(first.body);
    const fresh = await create('fresh', {});
    later(0.2);
    const second = await create('key', { name: 'Max' });
    expect(second.status).toBe(201);
    expect((await create('key', { name: 'Max' })).body).toEqual(second.body);

    const { db, jobs } = server.context;
    const countKeys = async () => (await db.execute(`select 1 from idempotency_keys`)).rowCount;
    const purge = async () => {
      await db.transaction((tx) => jobs.enqueue(tx, purgeExpiredRowsJob, {}));
      await server.drainJobs();
    };
    await purge();
    expect((await create('fresh', {})).body).toEqual(fresh.body);
    later(25);
    await purge();
    expect(await countKeys()).toBe(0);
  });

  it('rejects an invalid key', async () => {
    for (const key of ['', 'two words', 'k'.repeat(201), 'clé']) {
      expect([key, (await create(key, {})).status]).toEqual([key, 400]);
    }
    expect((await create('k'.repeat(200), {})).status).toBe(201);
    expect((await create('"550e8400-e29b"', {})).status).toBe(201);
  });

  it('is optional: each request without one creates a pet', async () => {
    const body = petForm({ name: 'Rex', species: 'dog' });
    await owner.request('POST', '/api/pets', { body });
    await owner.request('POST', '/api/pets', { body });
    expect(await listPets()).toHaveLength(2);
  });
});
