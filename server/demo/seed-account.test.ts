import { describe, expect, it } from 'vitest';
import { MemoryList, MemoryStats } from '#shared/album/memory';
import { PetList } from '#shared/album/pet';
import { parseSearchQuery, toSearchTerms } from '../features/search/search-terms.ts';
import type { TestClient } from '../testing/clients/test-client.ts';
import { addMemory } from '../testing/data/factories.ts';
import { startTestServer } from '../testing/test-server.ts';
import { DEMO_MEMORIES } from './demo-memories.ts';
import { seedAccount } from './seed-account.ts';
import { parseSeedOptions } from './seed-options.ts';
import { createSeedPhoto } from './seed-photos.ts';

const EMAIL = 'many@mems.example';

const server = await startTestServer();
const seeded = await seedAccount(server.context, { email: EMAIL, memories: 120, pets: 3 });

async function signIn(
  email = EMAIL,
  { password }: Pick<typeof seeded, 'password'> = seeded,
): Promise<TestClient> {
  const visitor = server.visitor();
  await visitor.post('/api/login', { email, password });
  return visitor;
}

async function list(client: TestClient, query = '') {
  return MemoryList.parse((await client.get(`/api/memories${query}`)).body);
}

describe('seedAccount', () => {
  it('fills a new account, each memory with its own photo', async () => {
    expect(seeded).toMatchObject({ added: 120, password: expect.stringMatching(/^[\w-]{16}$/) as string });
    const visitor = await signIn();
    const memories = await list(visitor);
    expect(memories).toHaveLength(120);
    expect(MemoryStats.parse((await visitor.get('/api/memories/stats')).body).total).toBe(120);
    expect(PetList.parse((await visitor.get('/api/pets')).body)).toHaveLength(3);
    expect(new Set(memories.map(({ imageUrl }) => imageUrl)).size).toBe(120);
    const contents = new Set<string>();
    for (const { imageUrl } of memories) contents.add((await visitor.get(imageUrl)).bytes.toString('base64'));
    expect(contents.size).toBe(120);
  });

  it('creates memories that are found by caption, tag and pet name', async () => {
    const visitor = await signIn();
    const memories = await list(visitor);
    const pets = PetList.parse((await visitor.get('/api/pets')).body);
    for (const query of ['beach', 'ete', pets[0]?.name ?? '', '(walk 110)']) {
      const expected = memories.filter(({ caption, tags, petId }) => {
        const petName = pets.find(({ id }) => id === petId)?.name ?? '';
        const words = toSearchTerms([caption ?? '', ...tags, petName].join(' '));
        return parseSearchQuery(query).every((searched) => words.some((word) => word.startsWith(searched)));
      });
      expect(expected).not.toEqual([]);
      expect(await list(visitor, `/search?q=${encodeURIComponent(query)}`)).toEqual(expected);
    }
  });

  it('adds only missing memories, also when run concurrently', async () => {
    const some = { email: 'again@mems.example', memories: 20, pets: 3 };
    const first = await seedAccount(server.context, some);
    expect((await seedAccount(server.context, some)).added).toBe(0);
    const more = { ...some, email: some.email.toUpperCase(), memories: 30 };
    const both = await Promise.all([1, 2].map(() => seedAccount(server.context, more)));
    expect(both.map(({ added }) => added).sort()).toEqual([0, 10]);
    const client = await signIn(some.email, first);
    expect(PetList.parse((await client.get('/api/pets')).body)).toHaveLength(3);
  });

  it('deletes nothing from an existing account and returns no password', async () => {
    const somebody = await server.signUp('somebody');
    const own = await addMemory(somebody, { caption: 'My own' });
    const options = { email: 'somebody@mems.example', memories: 2, pets: 0 };
    expect(await seedAccount(server.context, options)).toMatchObject({ added: 1, password: null });
    expect(await list(somebody)).toContainEqual(own);
    expect(await seedAccount(server.context, { ...options, memories: 1 })).toMatchObject({ added: 0 });
    expect(await list(somebody)).toHaveLength(2);
  });

  it('stops between two batches when asked to', async () => {
    const asked = [false, true];
    const isEnded = () => asked.shift() ?? true;
    const options = { email: 'ended@mems.example', memories: 250, pets: 0 };
    expect((await seedAccount(server.context, options, { isEnded })).added).toBe(100);
    expect((await seedAccount(server.context, options)).added).toBe(150);
  });
});

describe('createSeedPhoto', () => {
  it('returns the same photo for the same number, and another for each number', async () => {
    const [first, again, other, sameSource] = await Promise.all(
      [7, 7, 8, 7 + 2 * DEMO_MEMORIES.length].map(async (number) => (await createSeedPhoto(number)).bytes),
    );
    expect(first!.equals(again!)).toBe(true);
    expect(first!.equals(other!)).toBe(false);
    expect(first!.equals(sameSource!)).toBe(false);
  });
});

describe('parseSeedOptions', () => {
  it('has defaults for everything but the number of memories', () => {
    expect(parseSeedOptions(['--memories', '10000'])).toEqual({
      memories: 10_000,
      pets: 5,
      email: 'seed@mems.example',
    });
    expect(parseSeedOptions(['--memories=3', '--pets', '0', '--email', 'me@mems.example'])).toEqual({
      memories: 3,
      pets: 0,
      email: 'me@mems.example',
    });
  });

  it.each([
    [[], '--memories must be a whole number'],
    [['--memories', '-1'], '--memories'],
    [['--memories', '1e3'], '--memories must be a whole number'],
    [['--memories', '1000001'], '--memories must be a whole number, 0 to 1000000'],
    [['--memories', '1', '--pets', 'many'], '--pets must be a whole number'],
    [['--memories', '1', '--email', 'me'], '--email must be an email address'],
    [['--memories', '1', '--delete'], '--delete'],
    [['10000'], '10000'],
  ])('rejects %j with the reason and the usage', (args, why) => {
    expect(() => parseSeedOptions(args)).toThrow(why);
    expect(() => parseSeedOptions(args)).toThrow('npm run seed -- --memories 10000');
  });
});
