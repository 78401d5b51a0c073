import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BulkEditResult } from '#shared/album/bulk-edit';
import type { Memory } from '#shared/album/memory';
import type { Db } from '../../../platform/db/database.ts';
import { blocksRead, explain } from '../../../testing/assertions/query-plans.ts';
import { readPages } from '../../../testing/clients/read-pages.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { addMemory, addPet, deleteMemory } from '../../../testing/data/factories.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { listPetPage } from '../../pets/pet-queries.ts';
import { listDeletedMemories } from '../trash/memory-trash-queries.ts';
import { listMemories } from './memory-page-queries.ts';

const MIB = 1024 * 1024;

let owner: TestClient & { userId: string };

const server = await startTestServer();

beforeEach(async () => {
  owner = await server.signUp();
});

/** Newest first. */
async function addMemories(count: number, textBytes: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n++) ids.unshift((await addMemory(owner)).id);
  for (const id of ids) await setCaption(id, textBytes);
  return ids;
}

async function setCaption(id: string, bytes: number): Promise<void> {
  await server.context.db.execute(
    `update memories set caption = left(id::text, 36) || repeat('x', ${bytes}) where id = '${id}'`,
  );
}

const idsOf = (body: unknown) => (body as { id: string }[]).map(({ id }) => id);

describe('a list with more text than a page may have', () => {
  it.each([
    '/api/memories?',
    '/api/memories?order=taken&',
    '/api/memories/search?q=&',
    '/api/memories/deleted?',
  ])('is whole without a limit, and has shorter pages with one: %s', async (path) => {
    const ids = await addMemories(5, 450_000);
    if (path.includes('deleted')) for (const id of ids.toReversed()) await deleteMemory(owner, id);
    const pages = await readPages(owner, `${path}limit=1000`);
    expect(pages.map(idsOf)).toEqual([ids.slice(0, 3), ids.slice(3)]);
    expect((await readPages(owner, `${path}limit=2`)).map((page) => idsOf(page).length)).toEqual([2, 2, 1]);

    const whole = await owner.get(path);
    expect([whole.headers.get('Link'), whole.headers.get('Content-Type')]).toEqual([
      null,
      'application/json; charset=utf-8',
    ]);
    expect(whole.body).toEqual(pages.flat());
    const etag = whole.headers.get('ETag') ?? '';
    expect((await owner.get(path, { 'If-None-Match': etag })).status).toBe(304);
    await setCaption(ids[4] ?? '', MIB / 2);
    expect((await owner.get(path, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('is whole without a limit, and has shorter pages with one: /api/pets', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await addPet(owner, { name });
    const { db } = server.context;
    await db.execute(`update pets set description = repeat('x', 300000) where owner_id = '${owner.userId}'`);
    const pages = await readPages(owner, '/api/pets?limit=100');
    expect(pages.map((page) => (page as Memory[]).length)).toEqual([4, 2]);
    expect((await owner.get('/api/pets')).body).toEqual(pages.flat());
  });
});

describe('a page of a list with large texts', () => {
  /** A page has four of them. */
  const TEXT_BYTES = 300_000;
  const ROWS = 12;
  const PAGE = 4;
  /** At least, to read one of them. */
  const TEXT_BLOCKS = TEXT_BYTES / 8192;
  const text = randomBytes((TEXT_BYTES / 4) * 3).toString('base64');

  const blocksOf = async (run: (db: Db) => Promise<unknown>) => {
    const [statement] = await explain(server.databaseUrl, run);
    return statement ? blocksRead(statement) : 0;
  };
  const listFrom = (limit: number | undefined) => (db: Db) =>
    listMemories(db, owner.userId, {}, { order: 'added', after: null, limit });
  const listTrash = (limit: number | undefined) => (db: Db) =>
    listDeletedMemories(db, owner.userId, { since: new Date(0), after: null, limit });

  it.each([
    ['captions', listFrom, `caption = id || '${text}'`],
    ['tags', listFrom, `tags = array[id::text, '${text}']`],
    ['tags in the trash', listTrash, `deleted_at = now(), tags = array[id::text, '${text}']`],
  ])('reads those of its own rows only: %s', async (_, list, change) => {
    for (let n = 0; n < ROWS; n++) await addMemory(owner);
    await server.context.db.execute(`update memories set ${change} where owner_id = '${owner.userId}'`);
    const more = (await blocksOf(list(undefined))) - (await blocksOf(list(PAGE)));
    expect(more).toBeLessThan(3 * TEXT_BLOCKS);
  });

  it('reads those of its own rows only: pets', async () => {
    for (let n = 0; n < ROWS; n++) await addPet(owner, { name: `a${n}` });
    await server.context.db.execute(
      `update pets set description = name || '${text}' where owner_id = '${owner.userId}'`,
    );
    const list = (db: Db) => listPetPage(db, owner.userId, { after: null, limit: undefined });
    expect(await blocksOf(list)).toBeLessThan(3 * TEXT_BLOCKS);
  });

  it('has fewer memories if their tags may be large when decompressed', async () => {
    const ids = await addMemories(PAGE + 2, 10);
    const { db } = server.context;
    const setTags = (bytes: number) =>
      db.execute(
        `update memories set tags = array[repeat('x', ${bytes})] where owner_id = '${owner.userId}'`,
      );
    await setTags(10_000);
    expect((await readPages(owner, '/api/memories?limit=1000')).map(idsOf)).toEqual([ids]);
    await setTags(250_000);
    expect((await readPages(owner, '/api/memories?limit=1000')).map(idsOf)).toEqual([
      ids.slice(0, PAGE),
      ids.slice(PAGE),
    ]);
  });
});

describe('responses that a client does not read', () => {
  it('are few of an account, and do not delay other accounts', async () => {
    const [id = ''] = await addMemories(1, 40 * MIB);
    const other = await server.signUp();
    const unread = await Promise.all([1, 2, 3, 4].map(() => beginReading(owner)));
    await setCaption(id, 1);
    let rejected = 0;
    let resolveRejected: () => void = () => undefined;
    const isRejected = new Promise<void>((resolve) => (resolveRejected = resolve));
    const waiting = Array.from({ length: 101 }, async () => {
      const { status } = await owner.get('/api/memories');
      if (status !== 429) return;
      rejected++;
      resolveRejected();
    });
    await isRejected;
    expect((await other.get('/api/memories')).status).toBe(200);
    for (const socket of unread) socket.destroy();
    await Promise.all(waiting);
    expect(rejected).toBe(1);
  });

  async function beginReading(client: TestClient): Promise<Socket> {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    socket.write(`GET /api/memories HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${client.cookie()}\r\n\r\n`);
    await once(socket, 'data');
    return socket.pause();
  }
});

describe('changing many photos', () => {
  const edit = (ids: string[], changes: object) =>
    owner.request('PATCH', '/api/memories', { json: { edits: [{ ids, ...changes }] } });

  it('is rejected if together they have too much text for the memory', async () => {
    const ids = await addMemories(2, 5 * MIB);
    const rejected = await edit(ids, { memoryDate: '2020-01-01' });
    expect([rejected.status, rejected.body]).toEqual([
      413,
      {
        message: 'These photos have too much text to be changed together. Please choose fewer.',
        code: 'too-large',
      },
    ]);
    expect((await edit(ids.slice(1), { memoryDate: '2020-01-01' })).status).toBe(200);
  });

  it('is rejected if they would have so much text that it could not be undone', async () => {
    const ids = await addMemories(2, 4 * MIB - 5_000);
    const tag = 'x'.repeat(9_999);
    expect((await edit(ids, { addTags: [tag] })).status).toBe(413);
    expect((await readPages(owner, '/api/memories?limit=1')).flat()).toMatchObject([
      { tags: [] },
      { tags: [] },
    ]);

    const edited = await edit(ids, { addTags: ['x'] });
    const { undo } = edited.body as BulkEditResult;
    const json = { edits: undo, ignoresMissing: true };
    expect((await owner.request('PATCH', '/api/memories', { json })).status).toBe(200);
  });

  it('adds no more tags to one than a request can set', async () => {
    const [id = ''] = await addMemories(1, 10);
    const tag = 'x'.repeat(9_999);
    const set = (tags: string[]) => owner.request('PATCH', `/api/memories/${id}`, { json: { tags } });
    expect((await set(Array.from({ length: 26 }, (_, n) => tag + String(n)))).status).toBe(200);
    expect((await edit([id], { addTags: ['short'] })).status).toBe(200);
    expect((await edit([id], { addTags: [tag] })).status).toBe(413);
    expect((await edit([id], { removeTags: ['short'] })).status).toBe(200);
  });
});
