import { beforeEach, describe, expect, it } from 'vitest';
import type { BulkEditRequest, BulkEditResult } from '#shared/album/bulk-edit';
import type { Memory } from '#shared/album/memory';
import { memoriesOf, trashOf } from '../../../testing/clients/album.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { addContact, addMemory, addPet, deleteMemory } from '../../../testing/data/factories.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { updateMemory } from '../memory-queries.ts';

const NOT_THERE = '00000000-0000-7000-8000-000000000000';

let owner: TestClient & { userId: string };
let memories: Memory[];
let ids: string[];

const server = await startTestServer();

beforeEach(async () => {
  owner = await server.signUp();
  memories = [
    await addMemory(owner, { caption: 'one', tags: 'old', memoryDate: '2020-01-01T10:00' }),
    await addMemory(owner, { caption: 'two' }),
    await addMemory(owner, { caption: 'three', tags: 'snow, old' }),
  ];
  ids = memories.map(({ id }) => id);
});

const edit = (edits: BulkEditRequest['edits'], client: TestClient = owner) =>
  client.request('PATCH', '/api/memories', { json: { edits } });
const undo = ({ body }: { body: unknown }) =>
  owner.request('PATCH', '/api/memories', {
    json: { edits: (body as BulkEditResult).undo, ignoresMissing: true },
  });
const found = async (query: string) =>
  ((await owner.get(`/api/memories/search?q=${query}`)).body as Memory[])
    .map(({ caption }) => caption)
    .sort();
const trash = (ids: unknown, client: TestClient = owner) => client.post('/api/memories/deleted', { ids });
const restore = (ids: unknown, client: TestClient = owner) =>
  client.post('/api/memories/deleted/restore', { ids });
const manyIds = (count: number) =>
  Array.from({ length: count }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);

describe('PATCH /api/memories', () => {
  it.each([
    ['addTags', Array.from({ length: 101 }, (_, n) => `tag ${n}`)],
    ['removeTags', ['x'.repeat(10_001)]],
  ])('takes only as many %s as can be compared with those of a thousand photos', async (field, tags) => {
    const response = await edit([{ ids, [field]: tags }]);
    expect(response).toMatchObject({ status: 422 });
    expect(JSON.stringify(response.body)).toContain('Please use at most 100 short tags at a time');
  });

  it('changes pet, tags and date of many, and an undo restores exactly what was', async () => {
    const pet = await addPet(owner, { name: 'Rex' });
    const response = await edit([
      { ids, petId: pet.id, addTags: ['snow', 'cold'], memoryDate: '2024-05-06' },
    ]);
    expect(response.status).toBe(200);
    const changed = await memoriesOf(owner);
    const { memories: answered } = response.body as BulkEditResult;
    expect(answered).toHaveLength(3);
    expect(answered).toEqual(expect.arrayContaining(changed));
    const date = { petId: pet.id, dateSource: 'person' };
    expect(changed.toReversed()).toMatchObject([
      { ...date, tags: ['old', 'snow', 'cold'], memoryDate: '2024-05-06T10:00' },
      { ...date, tags: ['snow', 'cold'], memoryDate: '2024-05-06' },
      { ...date, tags: ['snow', 'old', 'cold'], memoryDate: '2024-05-06' },
    ]);
    expect(await found('rex')).toEqual(['one', 'three', 'two']);
    expect(await found('cold')).toEqual(['one', 'three', 'two']);

    const undone = await undo(response);
    expect(undone.status).toBe(200);
    expect((await memoriesOf(owner)).toReversed()).toEqual(memories);
    expect([await found('rex'), await found('cold'), await found('snow')]).toEqual([[], [], ['three']]);
    expect((await undo(undone)).status).toBe(200);
    expect(await memoriesOf(owner)).toEqual(
      changed.map((memory) => ({ ...memory, tags: expect.any(Array) as [] })),
    );
    expect(await found('rex')).toEqual(['one', 'three', 'two']);
  });

  it('knows a tag that an earlier release stored decomposed', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    const [first] = ids;
    await updateMemory(server.context.db, owner.userId, String(first), { tags: [decomposed, 'old'] });
    const tagsOf = async () => (await memoriesOf(owner)).find(({ id }) => id === first)?.tags;
    await edit([{ ids, addTags: [decomposed] }]);
    expect(await tagsOf()).toEqual([decomposed, 'old']);
    const response = await edit([{ ids, removeTags: [composed] }]);
    expect(await tagsOf()).toEqual(['old']);
    await undo(response);
    expect(await tagsOf()).toEqual(['old', composed]);
  });

  it('undoes what is still there: without memories and pets that are gone, and with tags added since', async () => {
    const [rex, mia] = [await addPet(owner, { name: 'Rex' }), await addPet(owner, { name: 'Mia' })];
    await edit([{ ids, petId: rex.id }]);
    const response = await edit([{ ids, petId: mia.id, addTags: ['cold'], memoryDate: '2024-05-06T07:00' }]);
    await edit([{ ids, addTags: ['since'] }]);
    await deleteMemory(owner, ids[2] ?? '');
    await owner.request('DELETE', `/api/pets/${rex.id}`);
    expect((await undo(response)).status).toBe(200);
    expect((await memoriesOf(owner)).toReversed()).toMatchObject([
      { petId: null, tags: ['old', 'since'], memoryDate: '2020-01-01T10:00' },
      { petId: null, tags: ['since'], memoryDate: null },
    ]);
    expect(await trashOf(owner)).toMatchObject([{ petId: mia.id, tags: ['snow', 'old', 'cold', 'since'] }]);
  });

  it('brings back a day without a time', async () => {
    const [id = ''] = ids;
    await owner.request('PATCH', `/api/memories/${id}`, { json: { memoryTime: null } });
    const before = await memoriesOf(owner);
    await undo(await edit([{ ids: [id], memoryDate: '2024-05-06T07:00' }]));
    expect(await memoriesOf(owner)).toEqual(before);
  });

  it('changes nothing if one of them cannot be changed', async () => {
    const before = await memoriesOf(owner);
    const other = await server.signUp();
    const foreign = await addMemory(other);
    const gone = await addMemory(owner);
    await deleteMemory(owner, gone.id);
    for (const id of [foreign.id, gone.id, NOT_THERE])
      expect((await edit([{ ids: [...ids, id], addTags: ['new'] }])).status).toBe(404);
    const pet = await addPet(other);
    expect((await edit([{ ids, addTags: ['new'], petId: pet.id }])).status).toBe(404);
    expect(await memoriesOf(owner)).toEqual(before);
    expect(await memoriesOf(other)).toEqual([foreign]);
    expect((await edit([{ ids, addTags: [] }], server.visitor())).status).toBe(401);
  });

  it.each([
    ['no edits', []],
    ['no ids', [{ ids: [], addTags: [] }]],
    ['a date that does not exist', [{ ids: [NOT_THERE], memoryDate: '2026-02-30' }]],
    ['one memory twice', [{ ids: [NOT_THERE] }, { ids: [NOT_THERE] }]],
    ['an id that is none', [{ ids: ['one'] }]],
    ['1,001 memories', [{ ids: manyIds(600) }, { ids: manyIds(1001).slice(600) }]],
  ])('rejects %s', async (_case, edits) => {
    expect((await edit(edits)).status).toBe(422);
  });

  it('accepts 1,000 memories', async () => {
    expect((await edit([{ ids: manyIds(1000), petId: null }])).status).toBe(404);
  });

  it('takes effect once for each of two concurrent calls in other orders', async () => {
    const responses = await Promise.all(
      [ids, ids.toReversed(), ids, ids.toReversed()].map((ids, n) => edit([{ ids, addTags: [`tag${n}`] }])),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { tags } of await memoriesOf(owner))
      expect(tags).toEqual(expect.arrayContaining(['tag0', 'tag1', 'tag2', 'tag3']));
  });
});

describe('POST /api/memories/deleted', () => {
  it('moves many to the trash, and back', async () => {
    expect((await trash([...ids, ids[0]])).status).toBe(204);
    expect(await memoriesOf(owner)).toEqual([]);
    const inTrash = await trashOf(owner);
    expect(inTrash.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    expect((await trash(ids)).status).toBe(204);
    expect(await trashOf(owner)).toEqual(inTrash);
    expect((await restore(ids.slice(1))).status).toBe(204);
    expect((await restore(ids)).status).toBe(204);
    expect((await memoriesOf(owner)).toReversed()).toEqual(memories);
    expect(await found('old')).toEqual(['one', 'three']);
  });

  it('changes nothing if one of them is not there', async () => {
    const foreign = await addMemory(await server.signUp());
    for (const id of [foreign.id, NOT_THERE]) {
      expect((await trash([...ids, id])).status).toBe(404);
      expect(await trashOf(owner)).toEqual([]);
    }
    await trash(ids);
    for (const id of [foreign.id, NOT_THERE]) expect((await restore([...ids, id])).status).toBe(404);
    expect(await trashOf(owner)).toHaveLength(3);
    for (const bad of [[], ['one'], manyIds(1001), 'one', undefined]) {
      expect((await trash(bad)).status).toBe(422);
      expect((await restore(bad)).status).toBe(422);
    }
    expect((await trash(ids, server.visitor())).status).toBe(401);
    expect((await restore(ids, server.visitor())).status).toBe(401);
  });

  it('leaves those in the trash that are past its retention', async () => {
    await trash(ids);
    await server.context.db.execute(
      `update memories set deleted_at = deleted_at - interval '31 days' where id = '${ids[0]}'`,
    );
    expect((await restore(ids)).status).toBe(404);
    expect((await restore(ids.slice(1))).status).toBe(204);
  });

  it('sends what waits for contacts after they came back', async () => {
    await addContact(owner);
    const memory = await addMemory(owner);
    await trash([memory.id]);
    expect((await restore([memory.id])).status).toBe(204);
    const { rows } = await server.context.db.execute(
      `select 1 from pgboss.job where name = 'group-deliveries' and data->>'ownerId' = '${owner.userId}'`,
    );
    expect(rows.length).toBeGreaterThan(1);
  });
});
