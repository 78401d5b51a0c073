import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { seedPet } from '../../server/demo/seed-content.ts';
import type { Facts } from '../facts.ts';
import { INSERT_MEMORIES, INSERT_OWNERS, INSERT_PETS } from './insert-sql.ts';
import { makePhotos, type Photo } from './make-photos.ts';
import { makeMemory, MEMORIES, otherOwners, ownerOf, type Owner, type SeededMemory } from './make-stories.ts';
import { signUp } from './sign-up.ts';

const BATCH = 5_000;
const PETS = 5;
/** How many of the newest have their picture stored: all that the first screens show. */
const WITH_PICTURES = 100;

type Place = Pick<Facts, 'databaseUrl' | 'sessionSecret' | 'objects'> & {
  app: string;
  report: (line: string) => void;
};

/**
 * 200,000 memories of twenty-one owners, written as the app would write them, words and all. Two owners have signed up
 * with the app itself: the one whose 10,000 are measured, and one with 100.
 */
export async function fillDatabase({ app, report, ...place }: Place): Promise<Facts> {
  const startedAt = Date.now();
  const [owner, few] = [await signUp(app, 'many'), await signUp(app, 'few')];
  const photos = await makePhotos();
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  try {
    // The rows are right: no foreign key needs to be looked up, and a crash would only end the bench.
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    const owners = await insertOwners(client, [owner.id, few.id]);
    const newest = await insertMemories(client, owners, photos);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    for (const ownerId of [owner.id, few.id]) await storePictures(place.objects, newest(ownerId), photos);
    const [first] = newest(owner.id);
    report(`${MEMORIES} memories were written in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
    return {
      ...place,
      cookie: owner.cookie,
      fewCookie: few.cookie,
      memoryIds: newest(owner.id)
        .slice(0, 10)
        .map(({ id }) => id),
      imageId: first?.imageId ?? '',
    };
  } finally {
    await client.end();
  }
}

/** The signed-up first and last, the others between them; everybody with pets. */
async function insertOwners(client: pg.Client, [first, last]: [string, string]): Promise<Owner[]> {
  const others = Array.from({ length: otherOwners }, () => uuidv7());
  await client.query(INSERT_OWNERS, [others]);
  const owners = [first, ...others, last].map((id) => ({
    id,
    pets: Array.from({ length: PETS }, (_, number) => ({ id: uuidv7(), ...seedPet(number) })),
  }));
  const pets = owners.flatMap(({ id, pets }) => pets.map((pet) => ({ ...pet, ownerId: id })));
  await client.query(INSERT_PETS, [JSON.stringify(pets)]);
  return owners;
}

async function insertMemories(client: pg.Client, owners: Owner[], photos: Photo[]) {
  const now = new Date();
  const few = owners.at(-1) as Owner;
  const newest = new Map<string, SeededMemory[]>(owners.map(({ id }) => [id, []]));
  for (let first = 0; first < MEMORIES; first += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) =>
      makeMemory(first + index, ownerOf(first + index, owners, few), photos, now),
    );
    await client.query(INSERT_MEMORIES, [JSON.stringify(batch)]);
    for (const memory of batch) newest.get(memory.ownerId)?.unshift(memory);
  }
  return (ownerId: string) => newest.get(ownerId)?.slice(0, WITH_PICTURES) ?? [];
}

async function storePictures(objects: string, memories: SeededMemory[], photos: Photo[]): Promise<void> {
  await mkdir(join(objects, 'originals'), { recursive: true, mode: 0o700 });
  const bytesOf = new Map(photos.map(({ bytes, image }) => [image.sha256, bytes]));
  for (const { objectKey, sha256 } of memories) {
    await writeFile(join(objects, objectKey), bytesOf.get(sha256) ?? '', { mode: 0o600 });
  }
}
