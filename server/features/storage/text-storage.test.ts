import { describe, expect, it } from 'vitest';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory, addPet, deleteMemory, petForm } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';

const KIB = 1024;
const ROOM = 300 * KIB;
const FULL = /^Your album is full/;

let owner: TestClient & { userId: string };

const server = await startTestServer({ env: { STORAGE_LIMIT_GB: String(ROOM / 1024 ** 3) } });

const edit = (id: string, json: object) => owner.request('PATCH', `/api/memories/${id}`, { json });
/** No word is repeated. */
const words = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => (46_656 + from + index).toString(36)).join(' ');
const messageOf = ({ body }: { body: unknown }) => (body as { message: string }).message;

async function countedBytes(): Promise<number> {
  const { rows } = await server.context.db.execute<{ bytes: string }>(
    `select bytes from storage_usage where owner_id = '${owner.userId}'`,
  );
  return Number(rows[0]?.bytes ?? 0);
}

describe('texts', () => {
  it('count against the storage of the account, with what their search terms take', async () => {
    owner = await server.signUp();
    const [first, second] = [await addMemory(owner), await addMemory(owner)];
    expect((await edit(first.id, { caption: words(500) })).status).toBe(200);
    expect((await edit(second.id, { caption: words(500) })).status).toBe(200);
    const rejected = await edit(second.id, { caption: words(2000) });
    expect([rejected.status, messageOf(rejected)]).toEqual([413, expect.stringMatching(FULL)]);
    const tags = await edit(second.id, { tags: words(2000).split(' ') });
    expect([tags.status, messageOf(tags)]).toEqual([413, expect.stringMatching(FULL)]);
    const upload = await owner.post('/api/objects/upload', { size: 200 * KIB });
    expect(upload.status).toBe(413);
    // The rejected text left nothing behind.
    expect((await owner.get(`/api/memories?ids=${second.id}`)).body).toMatchObject([{ caption: words(500) }]);
  });

  it('of pets count', async () => {
    owner = await server.signUp();
    const pet = await addPet(owner);
    const long = petForm({ name: 'Rex', species: 'dog', description: 'x'.repeat(200 * KIB) });
    expect((await owner.request('PATCH', `/api/pets/${pet.id}`, { body: long })).status).toBe(413);
    expect((await owner.request('POST', '/api/pets', { body: long })).status).toBe(413);
    expect((await owner.get('/api/pets')).body).toHaveLength(1);
  });

  it('of a full album can be shortened', async () => {
    owner = await server.signUp();
    const { id } = await addMemory(owner);
    expect((await edit(id, { caption: words(1000) })).status).toBe(200);
    const { db } = server.context;
    await db.execute(`update storage_usage set bytes = bytes + ${ROOM} where owner_id = '${owner.userId}'`);
    expect((await edit(id, { caption: words(1001) })).status).toBe(413);
    expect((await edit(id, { caption: words(999) })).status).toBe(200);
    expect((await edit(id, { isLiked: true })).status).toBe(200);
  });

  it('are counted until the memory is deleted for good, however it was changed', async () => {
    owner = await server.signUp();
    const pet = await addPet(owner, { description: 'A good dog' });
    const withPet = await countedBytes();
    expect(withPet).toBeGreaterThan(0);
    const memory = await addMemory(owner, { caption: 'At sea', tags: 'sea', petId: pet.id });
    const withMemory = await countedBytes();
    await Promise.all([
      edit(memory.id, { caption: 'At the sea, with the whole family' }),
      edit(memory.id, { tags: ['sea', 'summer'] }),
      edit(memory.id, { isLiked: true }),
    ]);
    await edit(memory.id, { caption: 'At sea', tags: ['sea'] });
    expect(await countedBytes()).toBe(withMemory);
    await deleteMemory(owner, memory.id);
    expect(await countedBytes()).toBe(withMemory);
    await owner.request('DELETE', `/api/memories/deleted/${memory.id}`);
    expect(await countedBytes()).toBe(withPet);
    await owner.request('DELETE', `/api/pets/${pet.id}`);
    expect(await countedBytes()).toBe(0);
  });

  it('are gone from the count with their account', async () => {
    owner = await server.signUp();
    await addMemory(owner, { caption: 'At sea' });
    const { db } = server.context;
    await db.transaction(async (tx) => {
      for (const table of ['memories', 'images', 'pets'])
        await tx.execute(`delete from ${table} where owner_id = '${owner.userId}'`);
      await tx.execute(`delete from users where id = '${owner.userId}'`);
    });
    expect(await countedBytes()).toBe(0);
  });
});
