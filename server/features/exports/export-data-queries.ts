import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../platform/db/database.ts';
import { caricatures } from '../../platform/db/schema/album/caricatures.ts';
import { contacts, mutedPets, suppressionEntries } from '../../platform/db/schema/album/contacts.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { pets } from '../../platform/db/schema/album/pets.ts';

/** Texts have up to 250 KB each. */
const PAGE_ROWS = 50;

export type ImageOfExport = Pick<
  typeof images.$inferSelect,
  'id' | 'objectKey' | 'copyVersion' | 'isTurned' | 'contentType' | 'byteSize' | 'sha256' | 'width' | 'height'
>;

const originals = alias(images, 'originals');
const image = columnsOf(images);
const original = columnsOf(originals);

function columnsOf<Table extends Record<keyof ImageOfExport, unknown>>(
  table: Table,
): Pick<Table, keyof ImageOfExport> {
  const { id, objectKey, copyVersion, isTurned, contentType, byteSize, sha256, width, height } = table;
  return { id, objectKey, copyVersion, isTurned, contentType, byteSize, sha256, width, height };
}

/** Runs `read` on one state of the database, which later changes do not affect. */
export function readSnapshot<Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

export async function sumImageBytes(db: Db | Tx, ownerId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: sql<string>`coalesce(sum(${images.byteSize}), 0)` })
    .from(images)
    .where(eq(images.ownerId, ownerId));
  return Number(row?.bytes ?? 0);
}

export async function* listPetsToExport(tx: Tx, ownerId: string) {
  const ids = await tx.select({ id: pets.id }).from(pets).where(eq(pets.ownerId, ownerId)).orderBy(pets.id);
  for (const page of toPages(ids)) {
    yield* await tx
      .select({ ...getTableColumns(pets), image, original })
      .from(pets)
      .leftJoin(images, eq(images.id, pets.profileImageId))
      .leftJoin(originals, eq(originals.id, pets.profileOriginalId))
      .where(inArray(pets.id, page))
      .orderBy(asc(pets.id));
  }
}

/** Also those in the trash. */
export async function* listMemoriesToExport(tx: Tx, ownerId: string) {
  const ids = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(eq(memories.ownerId, ownerId))
    .orderBy(asc(memories.id));
  for (const page of toPages(ids)) {
    yield* await tx
      .select({ ...getTableColumns(memories), image })
      .from(memories)
      .innerJoin(images, eq(images.id, memories.imageId))
      .where(inArray(memories.id, page))
      .orderBy(asc(memories.id));
  }
}

export async function* listContactsToExport(tx: Tx, ownerId: string) {
  const ids = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(eq(contacts.ownerId, ownerId))
    .orderBy(asc(contacts.id));
  for (const page of toPages(ids)) {
    yield* await tx
      .select({
        ...getTableColumns(contacts),
        unsubscribedAt: suppressionEntries.unsubscribedAt,
        mutedPetIds: sql<string[]>`array(
          select ${mutedPets.petId}::text from ${mutedPets} where ${mutedPets.contactId} = ${contacts.id} order by 1)`,
      })
      .from(contacts)
      .innerJoin(suppressionEntries, eq(suppressionEntries.id, contacts.suppressionEntryId))
      .where(inArray(contacts.id, page))
      .orderBy(asc(contacts.id));
  }
}

/** Those that are finished. */
export async function* listCaricaturesToExport(tx: Tx, ownerId: string) {
  const ids = await tx
    .select({ id: caricatures.id })
    .from(caricatures)
    .where(and(eq(caricatures.ownerId, ownerId), eq(caricatures.status, 'completed')))
    .orderBy(asc(caricatures.id));
  for (const page of toPages(ids)) {
    yield* await tx
      .select({ ...getTableColumns(caricatures), image })
      .from(caricatures)
      .innerJoin(images, eq(images.id, caricatures.imageId))
      .where(inArray(caricatures.id, page))
      .orderBy(asc(caricatures.id));
  }
}

function* toPages(rows: { id: string }[]): Generator<string[]> {
  for (let start = 0; start < rows.length; start += PAGE_ROWS)
    yield rows.slice(start, start + PAGE_ROWS).map(({ id }) => id);
}
