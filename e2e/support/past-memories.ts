import { link, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { v7 as uuidv7 } from 'uuid';
import { toPetNameTerms, toSearchTerms } from '../../server/features/search/search-terms.ts';
import { variantKey } from '../../server/features/images/image-variants.ts';
import {
  inspectImage,
  renderImage,
} from '../../server/platform/image-decoder/decoder-process/decode-image.ts';
import { COPY_VERSION, IMAGE_WIDTHS } from '../../shared/photos/image-widths.ts';
import { dataDir, withDatabase } from './apps/database.ts';
import type { Photo } from './photo-files.ts';

/** A memory to insert into the database. */
interface PastMemory {
  createdAt: string;
  /** `YYYY-MM-DD` */
  memoryDate?: string;
  caption?: string;
  tags?: string[];
  petId?: string;
  isLiked?: boolean;
  /** Set for memories in the trash. */
  deletedAt?: string;
}

/** Inserts memories into the server's database: the API cannot set `createdAt`, and would decode each photo. Each gets a copy of a photo. */
export async function addPastMemories(page: Page, photos: Photo[], memories: PastMemory[]): Promise<void> {
  const { id: ownerId } = (await (await page.request.get('/api/user')).json()) as { id: string };
  const models = await Promise.all(photos.map(storeModel));
  const rows = memories.map((memory, index) => ({
    ...memory,
    ...models[index % models.length]!.image,
    id: uuidv7(),
    terms: toSearchTerms([memory.caption ?? '', ...(memory.tags ?? [])].join(' ')),
  }));
  await Promise.all(rows.map(({ id }, index) => models[index % models.length]!.linkTo(id)));
  await withDatabase(async (database) => {
    await database.query(INSERT, [ownerId, JSON.stringify(rows)]);
    const { rows: pets } = await database.query<{ id: string; name: string }>(
      'select id, name from pets where owner_id = $1',
      [ownerId],
    );
    const terms = pets.map(({ id, name }) => ({ petId: id, terms: toPetNameTerms(name) }));
    await database.query(INSERT_PET_TERMS, [ownerId, JSON.stringify(terms), rows.map(({ id }) => id)]);
  });
}

/** Stores a photo with its variants, to be linked: decoding takes the most of an upload's time. */
async function storeModel({ buffer }: Photo) {
  const { image } = await inspectImage(buffer);
  const folder = await mkdtemp(join(dataDir(), 'models-'));
  const variants = await renderImage(
    buffer,
    IMAGE_WIDTHS.map((width) => ({ format: 'webp', width })),
  );
  const files = [buffer, ...variants];
  await Promise.all(files.map((bytes, index) => writeFile(join(folder, String(index)), bytes)));
  return {
    image,
    async linkTo(id: string) {
      const keys = [`originals/${id}`, ...IMAGE_WIDTHS.map((width) => variantKey(id, width))];
      const paths = keys.map((key) => join(dataDir(), 'objects', key));
      for (const path of paths.slice(0, 2)) await mkdir(dirname(path), { recursive: true });
      await Promise.all(paths.map((path, index) => link(join(folder, String(index)), path)));
    },
  };
}

const INSERT = `
  with rows as (
    select * from jsonb_to_recordset($2::jsonb) as row
      (id uuid, "contentType" text, "byteSize" int, sha256 text, width int, height int, placeholder text,
       "createdAt" timestamptz, "memoryDate" date, caption text, tags text[], "petId" uuid, "isLiked" boolean,
       "deletedAt" timestamptz, terms text[])
  ), pictures as (
    insert into images (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder,
      copy_version)
    select id, $1, 'originals/' || id, "contentType", "byteSize", sha256, width, height, placeholder, ${COPY_VERSION} from rows
  ), added as (
    insert into memories (id, owner_id, pet_id, image_id, caption, tags, is_liked, source, created_at, added_day, memory_day, deleted_at)
    select id, $1, "petId", id, caption, coalesce(tags, '{}'), coalesce("isLiked", false), 'web', "createdAt",
      ("createdAt" at time zone 'UTC')::date, "memoryDate", "deletedAt"
    from rows
  )
  insert into memory_search_terms (owner_id, term, memory_id, is_of_pet)
  select $1, term, id, false from rows cross join unnest(terms) as term`;

const INSERT_PET_TERMS = `
  insert into memory_search_terms (owner_id, term, memory_id, is_of_pet)
  select $1, term, memories.id, true
  from jsonb_to_recordset($2::jsonb) as pet ("petId" uuid, terms text[])
    join memories on pet_id = "petId" and owner_id = $1 and memories.id = any($3::uuid[])
    cross join unnest(terms) as term`;
