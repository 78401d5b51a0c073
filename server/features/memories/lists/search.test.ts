import { beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { updatePetRow } from '../../pets/pet-queries.ts';
import { addMemory, addPet, petForm } from '../../../testing/data/factories.ts';
import { waitForBlockedConnection } from '../../../testing/timing/lock-waits.ts';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';
import { getMemory, updateMemory } from '../memory-queries.ts';
import { replaceOwnTerms, replacePetSearchTerms } from '../../search/search-term-queries.ts';
import { updateSearchTermsJob } from '../update-search-terms-job.ts';

const server = await startTestServer({ env: { UPLOADS_PER_MINUTE: '1000' } });
let owner: TestClient & { userId: string };
beforeEach(async () => {
  owner = await server.signUp();
});

const searchPath = (q: string, filters = '') => `/api/memories/search?q=${encodeURIComponent(q)}${filters}`;

/** The captions of what is found, newest first. */
async function search(client: TestClient, q: string, filters = ''): Promise<(string | null)[]> {
  const response = await client.get(searchPath(q, filters));
  expect([q, response.status]).toEqual([q, 200]);
  return (response.body as Memory[]).map((each) => each.caption);
}

const patch = (client: TestClient, memory: Memory, json: object) =>
  client.request('PATCH', `/api/memories/${memory.id}`, { json });

describe('GET /api/memories/search', () => {
  it('matches prefixes of words, ignoring case and accents, newest first', async () => {
    await addMemory(owner, { caption: 'Crème BRÛLÉE at the beach' });
    await addMemory(owner, { caption: 'Beaches' });
    await addMemory(owner, { caption: 'A peach' });
    expect(await search(owner, 'bea')).toEqual(['Beaches', 'Crème BRÛLÉE at the beach']);
    expect(await search(owner, 'beach')).toEqual(['Beaches', 'Crème BRÛLÉE at the beach']);
    expect(await search(owner, 'Béaches')).toEqual(['Beaches']);
    expect(await search(owner, 'brulee creme')).toEqual(['Crème BRÛLÉE at the beach']);
    expect(await search(owner, 'each')).toEqual([]);
    expect(await search(owner, '')).toHaveLength(3);
    expect(await search(owner, ' \u200b ')).toHaveLength(3);
  });

  it('matches terms across caption, tags and pet name', async () => {
    const pet = await addPet(owner, { name: 'Señor Bigotes' });
    await addMemory(owner, { caption: 'Swimming', tags: 'lake, hot day', petId: pet.id });
    await addMemory(owner, { caption: 'Swimming too', tags: 'lake' });
    expect(await search(owner, 'lake swim senor')).toEqual(['Swimming']);
    expect(await search(owner, 'day bigotes')).toEqual(['Swimming']);
    expect(await search(owner, 'lake')).toEqual(['Swimming too', 'Swimming']);
    expect(await search(owner, 'lake forest')).toEqual([]);
  });

  it('understands years and months, by the date taken or the day added', async () => {
    await addMemory(owner, { caption: 'Snow', memoryDate: '2023-12-31T23:59' });
    await addMemory(owner, { caption: 'Fireworks', memoryDate: '2024-01-01' });
    await addMemory(owner, { caption: 'Looking back at December 2023' });
    await addMemory(owner, { caption: 'Spring', memoryDate: '2023-04-01' });
    expect(await search(owner, 'December 2023')).toEqual(['Looking back at December 2023', 'Snow']);
    expect(await search(owner, '2023')).toEqual(['Spring', 'Looking back at December 2023', 'Snow']);
    expect(await search(owner, 'snow 2023')).toEqual(['Snow']);
    expect(await search(owner, 'jan 2024')).toEqual(['Fireworks']);
    expect(await search(owner, '1999')).toEqual([]);
  });

  it('matches scripts without spaces, and emoji', async () => {
    await addMemory(owner, { caption: '初雪の日' });
    await addMemory(owner, { caption: 'รักแมวมาก' });
    await addMemory(owner, { caption: 'Our❤️family 👨‍👩‍👧' });
    expect(await search(owner, '雪')).toEqual(['初雪の日']);
    expect(await search(owner, 'แมว')).toEqual(['รักแมวมาก']);
    expect(await search(owner, '❤')).toEqual(['Our❤️family 👨‍👩‍👧']);
    expect(await search(owner, '👨‍👩‍👧 fam')).toEqual(['Our❤️family 👨‍👩‍👧']);
    expect(await search(owner, '🎂')).toEqual([]);
  });

  it('ignores the keyboard that letters and digits were typed with', async () => {
    const pet = await addPet(owner, { name: 'قطة' });
    await addMemory(owner, { caption: 'ملکی', tags: '۱۲', petId: pet.id });
    for (const q of ['ملكي', '12', '١٢', 'قطه', 'قطة ملكي 12'])
      expect(await search(owner, q)).toEqual(['ملکی']);
  });

  it('finds what an earlier release indexed, once the job has run', async () => {
    const pet = await addPet(owner, { name: 'قطة' });
    const outdated = await addMemory(owner, { caption: 'ملکی ۲۰۲۴', petId: pet.id });
    const other = await addMemory(owner, { caption: 'At the beach', petId: pet.id });
    const { db } = server.context;
    await db.execute(`delete from memory_search_terms where owner_id = '${owner.userId}'`);
    await db.execute(`insert into memory_search_terms (owner_id, memory_id, term, is_of_pet)
      select '${owner.userId}', id::uuid, word, is_of_pet from (values
        ('${outdated.id}', 'ملکی', false), ('${outdated.id}', '۲۰۲۴', false), ('${outdated.id}', 'قطة', true),
        ('${other.id}', 'untouched', false), ('${other.id}', 'قطه', true)) as old (id, word, is_of_pet)`);
    expect(await search(owner, 'ملكي')).toEqual([]);
    for (let run = 0; run < 2; run++) await updateSearchTermsJob.handle(server.context, {});
    expect(await search(owner, 'ملكي 2024 قطه')).toEqual(['ملکی ۲۰۲۴']);
    expect(await search(owner, 'untouched قطة')).toEqual(['At the beach']);
  });

  it('treats no character as a pattern', async () => {
    await addMemory(owner, { caption: 'plain words' });
    await addMemory(owner, { caption: `100 % "sure" _ it's \\ fine` });
    for (const q of ['%', '_', '\\', '"', "'"]) {
      expect(await search(owner, q)).toEqual([`100 % "sure" _ it's \\ fine`]);
    }
    expect(await search(owner, `plain%' or 1=1 --`)).toEqual([]);
    expect(await search(owner, 'pl_in')).toEqual([]);
    expect(await search(owner, '\u{10FFFF}')).toEqual([]);
  });

  it('rejects invalid searches with a clear message', async () => {
    await addMemory(owner, { caption: 'here' });
    const many = Array.from({ length: 65 }, (_, index) => `w${index}`).join(' ');
    for (const q of ['x'.repeat(1001), 'x'.repeat(10_000), many, 'nul\0', '\u{10FFFF}\0']) {
      const response = await owner.get(searchPath(q));
      expect([response.status, Object.keys((response.body as { fields: object }).fields)]).toEqual([
        422,
        ['q'],
      ]);
    }
    expect((await owner.get('/api/memories/search?q=a&q=b')).status).toBe(422);
    expect(await search(owner, many.replace('w0 ', ''))).toEqual([]);
    expect(await search(owner, 'here '.repeat(200))).toEqual(['here']);
    expect(await search(owner, 'h'.repeat(1000))).toEqual([]);
  });

  it('combines owner, pet and ids', async () => {
    const other = await server.signUp();
    const pet = await addPet(owner);
    const first = await addMemory(owner, { caption: 'beach one', petId: pet.id });
    await addMemory(owner, { caption: 'beach two' });
    const foreign = await addMemory(other, { caption: 'beach of another' });
    expect(await search(owner, 'beach')).toEqual(['beach two', 'beach one']);
    expect(await search(owner, 'beach', `&petId=${pet.id}`)).toEqual(['beach one']);
    expect(await search(owner, 'beach', `&ids=${first.id},${foreign.id}`)).toEqual(['beach one']);
    expect((await other.get(searchPath('beach', `&petId=${pet.id}`))).status).toBe(404);
  });

  it('paginates with links that keep the search', async () => {
    for (const name of ['one', 'two', 'three']) await addMemory(owner, { caption: `beach ${name}` });
    await addMemory(owner, { caption: 'forest' });
    const first = await owner.get(searchPath('beach', '&limit=2'));
    expect((first.body as Memory[]).map((each) => each.caption)).toEqual(['beach three', 'beach two']);
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const second = await owner.get(next);
    expect((second.body as Memory[]).map((each) => each.caption)).toEqual(['beach one']);
    expect(second.headers.get('Link')).toBeNull();
  });

  it('follows every edit', async () => {
    const memory = await addMemory(owner, { caption: 'before', tags: 'oldtag' });
    await patch(owner, memory, { isLiked: true });
    expect(await search(owner, 'before oldtag')).toHaveLength(1);
    await patch(owner, memory, { tags: 'newtag' });
    expect(await search(owner, 'before newtag')).toHaveLength(1);
    expect(await search(owner, 'oldtag')).toEqual([]);
    await patch(owner, memory, { caption: 'after' });
    expect(await search(owner, 'after newtag')).toHaveLength(1);
    expect(await search(owner, 'before')).toEqual([]);
    await patch(owner, memory, { caption: '', tags: '' });
    expect(await search(owner, 'after')).toEqual([]);
    expect(await search(owner, 'newtag')).toEqual([]);
  });

  it('follows concurrent edits of caption and tags', async () => {
    const memory = await addMemory(owner, { caption: 'before', tags: 'oldtag' });
    const edit = await server.context.db.transaction(async (tx) => {
      await updateMemory(tx, owner.userId, memory.id, { tags: ['newtag'] });
      const waiting = patch(owner, memory, { caption: 'after' });
      await waitForBlockedConnection(server.databaseUrl);
      await replaceOwnTerms(tx, await getMemory(tx, owner.userId, memory.id));
      return { waiting };
    });
    expect((await edit.waiting).status).toBe(200);
    expect(await search(owner, 'after newtag')).toHaveLength(1);
    expect(await search(owner, 'before')).toEqual([]);
    expect(await search(owner, 'oldtag')).toEqual([]);
  });

  it('follows a memory from pet to pet', async () => {
    const [rex, luna] = [await addPet(owner, { name: 'Rex' }), await addPet(owner, { name: 'Luna' })];
    const memory = await addMemory(owner, { caption: 'rex-like', petId: rex.id });
    await patch(owner, memory, { petId: luna.id });
    expect(await search(owner, 'luna')).toEqual(['rex-like']);
    expect(await search(owner, 'rex')).toEqual(['rex-like']);
    await patch(owner, memory, { caption: 'photo' });
    expect(await search(owner, 'luna')).toEqual(['photo']);
    expect(await search(owner, 'rex')).toEqual([]);
    await patch(owner, memory, { petId: null });
    expect(await search(owner, 'luna')).toEqual([]);
    expect(await search(owner, 'photo')).toEqual(['photo']);
  });

  it('follows renamed and deleted pets', async () => {
    const pet = await addPet(owner, { name: 'Rex' });
    for (const caption of ['one', 'two, of rexes']) await addMemory(owner, { caption, petId: pet.id });
    await owner.request('PATCH', `/api/pets/${pet.id}`, { body: petForm({ name: 'Luna Łapka' }) });
    expect(await search(owner, 'luna lapka')).toEqual(['two, of rexes', 'one']);
    expect(await search(owner, 'rex')).toEqual(['two, of rexes']);
    await owner.request('DELETE', `/api/pets/${pet.id}`);
    expect(await search(owner, 'luna')).toEqual([]);
    expect(await search(owner, 'rex')).toEqual(['two, of rexes']);
    expect(await search(owner, 'one')).toEqual(['one']);
  });

  it('is correct when a memory leaves a pet that is concurrently renamed', async () => {
    const [rex, luna] = [await addPet(owner, { name: 'Rex' }), await addPet(owner, { name: 'Luna' })];
    const memory = await addMemory(owner, { caption: 'photo', petId: rex.id });
    const edit = await server.context.db.transaction(async (tx) => {
      await replacePetSearchTerms(tx, owner.userId, rex.id, 'Max');
      const waiting = patch(owner, memory, { petId: luna.id });
      await waitForBlockedConnection(server.databaseUrl);
      return { waiting };
    });
    expect((await edit.waiting).status).toBe(200);
    expect(await search(owner, 'luna')).toEqual(['photo']);
    expect(await search(owner, 'max')).toEqual([]);
    expect(await search(owner, 'rex')).toEqual([]);
  });

  it('is correct when a memory is given to a pet that is concurrently renamed', async () => {
    const pet = await addPet(owner, { name: 'Rex' });
    const memory = await addMemory(owner, { caption: 'photo' });
    const edit = await server.context.db.transaction(async (tx) => {
      await updatePetRow(tx, owner.userId, pet.id, { name: 'Max' });
      const waiting = patch(owner, memory, { petId: pet.id });
      await waitForBlockedConnection(server.databaseUrl);
      await replacePetSearchTerms(tx, owner.userId, pet.id, 'Max');
      return { waiting };
    });
    expect((await edit.waiting).status).toBe(200);
    expect(await search(owner, 'max')).toEqual(['photo']);
    expect(await search(owner, 'rex')).toEqual([]);
  });

  it('indexes only the first terms of a pet name with many words', async () => {
    // 50 words in 99 characters.
    const words = [...'abcdefghijklmnopqrstuvwxyz0123456789αβγδεζηθικλμνξ'];
    const pet = await addPet(owner, { name: words.join(' ') });
    const expectFew = async ([first, ...others]: string[]) => {
      expect(await search(owner, `${first} ${others[29]}`)).toEqual(['photo']);
      expect(await search(owner, others.at(-1) ?? '')).toEqual([]);
    };
    const memory = await addMemory(owner, { caption: 'photo', petId: pet.id });
    await expectFew(words);
    await patch(owner, memory, { petId: null });
    await patch(owner, memory, { petId: pet.id });
    await expectFew(words);
    const reversed = words.toReversed();
    await owner.request('PATCH', `/api/pets/${pet.id}`, { body: petForm({ name: reversed.join(' ') }) });
    await expectFew(reversed);
  });

  it('matches the first 5,000 words of the longest accepted caption', async () => {
    const memory = await addMemory(owner);
    const caption = Array.from({ length: 25_000 }, (_, index) => `w${index}e`).join(' ');
    expect((await patch(owner, memory, { caption })).status).toBe(200);
    expect(await search(owner, 'w4999e')).toHaveLength(1);
    expect(await search(owner, 'w5000e')).toEqual([]);
  });
});
