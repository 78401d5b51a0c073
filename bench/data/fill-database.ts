import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { seedPet } from '../../server/demo/seed-content.ts';
import type { BenchData } from './bench-data.ts';
import { loadDemoPhotos, type Photo } from './demo-photos.ts';
import { countOwners, generateMemory, type Owner, type SeededMemory } from './generate-memories.ts';
import { signUp } from '../environment/sign-up.ts';

const BATCH = 5_000;
const PETS = 5;
/** The newest memories have stored images, enough for five seconds of scrolling. */
const MAX_STORED_IMAGES = 600;

type Target = Pick<BenchData, 'databaseUrl' | 'sessionSecret' | 'objectsFolder'> & {
  app: string;
  /** The number of memories, a multiple of 10,000. */
  rows: number;
  report: (line: string) => void;
};

/**
 * Inserts memories of users with 10,000 each, with their search terms. Two users are registered through the app: the one with 10,000
 * memories and one with 100.
 */
export async function fillDatabase({ app, rows, report, ...target }: Target): Promise<BenchData> {
  const startedAt = Date.now();
  const [owner, few] = [await signUp(app, 'many'), await signUp(app, 'few')];
  const photos = await loadDemoPhotos();
  const client = new pg.Client({ connectionString: target.databaseUrl });
  await client.connect();
  try {
    // Skips foreign key checks and disk flushes.
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    const owners = await insertOwners(client, rows, [owner.id, few.id]);
    const newest = await insertMemories(client, rows, owners, photos);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    for (const ownerId of [owner.id, few.id]) await storeImages(target.objectsFolder, newest(ownerId), photos);
    const [first] = newest(owner.id);
    report(`${rows} memories inserted in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
    return {
      ...target,
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

/** The registered users come first and last. */
async function insertOwners(client: pg.Client, rows: number, [first, last]: [string, string]): Promise<Owner[]> {
  const others = Array.from({ length: countOwners(rows) - 1 }, () => uuidv7());
  await client.query(INSERT_OWNERS, [others]);
  const owners = [first, ...others, last].map((id) => ({
    id,
    pets: Array.from({ length: PETS }, (_, number) => ({ id: uuidv7(), ...seedPet(number) })),
  }));
  const pets = owners.flatMap(({ id, pets }) => pets.map((pet) => ({ ...pet, ownerId: id })));
  await client.query(INSERT_PETS, [JSON.stringify(pets)]);
  return owners;
}

async function insertMemories(client: pg.Client, rows: number, owners: Owner[], photos: Photo[]) {
  const now = new Date();
  const newest = new Map<string, SeededMemory[]>(owners.map(({ id }) => [id, []]));
  for (let first = 0; first < rows; first += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) =>
      generateMemory(first + index, owners, photos, now),
    );
    await client.query(INSERT_MEMORIES, [JSON.stringify(batch)]);
    for (const memory of batch) newest.get(memory.ownerId)?.unshift(memory);
  }
  return (ownerId: string) => newest.get(ownerId)?.slice(0, MAX_STORED_IMAGES) ?? [];
}

async function storeImages(folder: string, memories: SeededMemory[], photos: Photo[]): Promise<void> {
  await mkdir(join(folder, 'originals'), { recursive: true, mode: 0o700 });
  const bytesOf = new Map(photos.map(({ bytes, image }) => [image.sha256, bytes]));
  for (const { objectKey, sha256 } of memories) {
    await writeFile(join(folder, objectKey), bytesOf.get(sha256) ?? '', { mode: 0o600 });
  }
}

/** $1: ids. */
const INSERT_OWNERS = `
  insert into users (id, email, username, password_hash)
  select id, id || '@mems.example', id, '' from unnest($1::uuid[]) id`;

/** $1: a JSON array. */
const INSERT_PETS = `
  insert into pets (id, owner_id, name, species)
  select id, "ownerId", name, species
  from json_to_recordset($1) as pet (id uuid, "ownerId" uuid, name text, species text)`;

/** $1: a JSON array of SeededMemory. */
const INSERT_MEMORIES = `
  with batch as materialized (
    select * from json_to_recordset($1) as memory (
      id uuid, "ownerId" uuid, "petId" uuid, caption text, tags text[], "isLiked" boolean, "memoryDay" date,
      "addedDay" date, "createdAt" timestamptz, "ownTerms" text[], "petTerms" text[], "imageId" uuid, "objectKey" text,
      "contentType" text, "byteSize" int, sha256 text, width int, height int, placeholder text)
  ), inserted_images as (
    insert into images
      (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder, created_at)
    select "imageId", "ownerId", "objectKey", "contentType", "byteSize", sha256, width, height, placeholder, "createdAt"
    from batch
  ), inserted_memories as (
    insert into memories
      (id, owner_id, pet_id, image_id, caption, tags, is_liked, memory_day, source, created_at, added_day)
    select id, "ownerId", "petId", "imageId", caption, tags, "isLiked", "memoryDay", 'web', "createdAt", "addedDay"
    from batch
  )
  insert into memory_search_terms (owner_id, term, memory_id, is_of_pet)
  select "ownerId", word, id, false from batch, unnest("ownTerms") word
  union all
  select "ownerId", word, id, true from batch, unnest("petTerms") word
  order by 1, 2`;
