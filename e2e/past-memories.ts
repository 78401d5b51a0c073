import { randomUUID } from 'node:crypto';
import { link, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { now } from './clock.ts';
import type { Photo } from './photo-files.ts';
import { createMemory } from './photos.ts';

/** A memory to insert into the database. */
export interface PastMemory {
  createdAt: string;
  /** `YYYY-MM-DD` */
  memoryDate?: string;
  caption?: string;
  tags?: string[];
  petId?: string;
  /** Set for memories in the trash. */
  deletedAt?: string;
}

const HOUR = 60 * 60 * 1000;

/** 'Day 1' was added an hour ago, 'Day 2' an hour earlier. @param apart in ms */
export function pastDays(count: number, { apart = HOUR, petId }: { apart?: number; petId?: string } = {}) {
  const end = now().getTime();
  return Array.from({ length: count }, (_, index): PastMemory => ({
    caption: `Day ${index + 1}`,
    createdAt: new Date(end - (index + 1) * apart).toISOString(),
    ...(petId && { petId }),
  }));
}

/** Inserts memories into the server's database, since the API cannot set `createdAt`. Each gets a copy of a photo. */
export async function addPastMemories(page: Page, photos: Photo[], memories: PastMemory[]): Promise<void> {
  const { id: ownerId } = (await (await page.request.get('/api/user')).json()) as { id: string };
  for (const photo of photos) await createMemory(page, photo, '');
  const database = new pg.Client(await getDatabaseConfig());
  await database.connect();
  try {
    await database.query('begin');
    const { rows: models } = await database.query<{ id: string; object_key: string }>(
      'delete from memories using images where images.id = image_id and memories.owner_id = $1 and caption is null returning images.id, object_key',
      [ownerId],
    );
    const rows = memories.map((memory, index) => {
      const id = randomUUID();
      return { ...memory, id, model: models[index % models.length]!, key: `originals/${id}` };
    });
    await Promise.all(rows.map(({ model, key }) => link(toFilePath(model.object_key), toFilePath(key))));
    await database.query(INSERT, [
      ownerId,
      JSON.stringify(rows.map(({ model, ...row }) => ({ ...row, model: model.id }))),
    ]);
    await database.query('commit');
  } finally {
    await database.end();
  }
}

const INSERT = `
  with rows as (
    select * from jsonb_to_recordset($2::jsonb) as row
      (id uuid, model uuid, key text, "createdAt" timestamptz, "memoryDate" date, caption text, tags text[], "petId" uuid, "deletedAt" timestamptz)
  ), pictures as (
    insert into images (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder)
    select rows.id, owner_id, key, content_type, byte_size, sha256, width, height, placeholder
    from rows join images on images.id = model
  )
  insert into memories (id, owner_id, pet_id, image_id, caption, tags, source, created_at, added_day, memory_day, deleted_at)
  select id, $1, "petId", id, caption, coalesce(tags, '{}'), 'web', "createdAt",
    ("createdAt" at time zone 'UTC')::date, "memoryDate", "deletedAt"
  from rows`;

/** Of the worker's app, or of an embedded Postgres, whose socket is in its postmaster.pid. */
export async function getDatabaseConfig(folder?: string): Promise<pg.ClientConfig> {
  const connectionString = process.env['E2E_DATABASE_URL'];
  if (connectionString && !folder) return { connectionString };
  return findEmbeddedPostgres(folder ?? dataDir());
}

async function findEmbeddedPostgres(folder: string): Promise<pg.ClientConfig> {
  const postmaster = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8');
  const [, , , port, host] = postmaster.split('\n');
  const password = (await readFile(join(folder, 'secrets', 'postgres'), 'utf8')).trim();
  return { host: host!, port: Number(port), user: 'postgres', password, database: 'mems' };
}

function toFilePath(key: string): string {
  return join(dataDir(), 'objects', key);
}

function dataDir(): string {
  const dir = process.env['E2E_DATA_DIR'];
  if (!dir) throw new Error('E2E_DATA_DIR names no data folder: it goes with E2E_BASE_URL');
  return dir;
}
