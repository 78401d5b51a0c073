import { createHash } from 'node:crypto';
import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { caricatures } from '../../platform/db/schema/album/caricatures.ts';
import { contacts, mutedPets, suppressionEntries } from '../../platform/db/schema/album/contacts.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { pets } from '../../platform/db/schema/album/pets.ts';
import type { ExportData } from '../exports/export-format.ts';
import { findMemoryOfPhoto } from '../memories/memory-photo-queries.ts';

/**
 * The id in this album: the same each time, so that nothing is added twice, and another one in each album, since ids are unique
 * in a database. The time in it stays, since lists are in its order.
 */
export function toAlbumId(ownerId: string, exportedId: string): string {
  const hash = createHash('sha256').update(`${ownerId} ${exportedId.toLowerCase()}`).digest('hex');
  const time = exportedId.toLowerCase().slice(0, 13);
  return `${time}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** That of an item that came from here, and that of an imported one. */
function possibleIds(ownerId: string, { id }: { id: string }): string[] {
  return [id, toAlbumId(ownerId, id)];
}

type ExportedMemory = ExportData['memories'][number];
type ExportedPet = ExportData['pets'][number];
type ExportedCaricature = ExportData['caricatures'][number];

export type Existing = { id: string };

export async function findMemoryByExportedId(
  db: Db | Tx,
  ownerId: string,
  id: string,
): Promise<(Existing & { imageId: string }) | null> {
  const [row] = await db
    .select({ id: memories.id, imageId: memories.imageId })
    .from(memories)
    .where(and(inArray(memories.id, possibleIds(ownerId, { id })), eq(memories.ownerId, ownerId)));
  return row ?? null;
}

/** The ids that the memories of an export can have in this album: their own, and those that an import gives them. */
export type PossibleAlbumIds = Set<string>;

export function addPossibleAlbumIds(ids: PossibleAlbumIds, ownerId: string, memory: { id: string }): void {
  for (const id of possibleIds(ownerId, memory)) ids.add(id);
}

/** By its id, or by its creation time and photo. Includes the trash. */
export async function findExistingMemory(
  db: Db | Tx,
  ownerId: string,
  memory: Pick<ExportedMemory, 'id' | 'createdAt' | 'file'>,
): Promise<(Existing & { imageId: string }) | null> {
  const byId = await findMemoryByExportedId(db, ownerId, memory.id);
  if (byId) return byId;
  // Each condition has an index.
  for (const isDeleted of [isNull(memories.deletedAt), isNotNull(memories.deletedAt)]) {
    const [same] = await db
      .select({ id: memories.id, imageId: memories.imageId })
      .from(memories)
      .innerJoin(images, eq(images.id, memories.imageId))
      .where(
        and(
          eq(memories.ownerId, ownerId),
          isDeleted,
          eq(memories.createdAt, new Date(memory.createdAt)),
          eq(images.sha256, memory.file.sha256),
        ),
      );
    if (same) return same;
  }
  return null;
}

/**
 * The memory that an exported one would be a duplicate of. Not one of the same export, in which several can have the same photo,
 * and not one in the trash since before `trashedSince`.
 */
export async function findDuplicateMemory(
  db: Db | Tx,
  ownerId: string,
  { file }: Pick<ExportedMemory, 'file'>,
  { possibleAlbumIds, trashedSince }: { possibleAlbumIds: PossibleAlbumIds; trashedSince: Date },
): Promise<(Existing & { imageId: string }) | null> {
  const memory = await findMemoryOfPhoto(db, ownerId, file.sha256);
  if (!memory || possibleAlbumIds.has(memory.id)) return null;
  return memory.deletedAt && memory.deletedAt < trashedSince ? null : memory;
}

export async function findExistingPet(
  db: Db | Tx,
  ownerId: string,
  pet: Pick<ExportedPet, 'id' | 'name' | 'createdAt'>,
): Promise<(Existing & { awaitsPicture: boolean }) | null> {
  const isSame = and(eq(pets.createdAt, new Date(pet.createdAt)), eq(pets.name, pet.name));
  const [row] = await db
    .select({ id: pets.id, awaitsPicture: pets.awaitsPicture })
    .from(pets)
    .where(and(eq(pets.ownerId, ownerId), or(inArray(pets.id, possibleIds(ownerId, pet)), isSame)))
    .orderBy(sql`${pets.id} = any(${sql.param(possibleIds(ownerId, pet))}::uuid[]) desc`)
    .limit(1);
  return row ?? null;
}

export async function findExistingCaricature(
  db: Db | Tx,
  ownerId: string,
  caricature: Pick<ExportedCaricature, 'id' | 'createdAt' | 'file'>,
): Promise<Existing | null> {
  const isSame = and(
    eq(caricatures.createdAt, new Date(caricature.createdAt)),
    eq(images.sha256, caricature.file.sha256),
  );
  const [row] = await db
    .select({ id: caricatures.id })
    .from(caricatures)
    .leftJoin(images, eq(images.id, caricatures.imageId))
    .where(
      and(
        eq(caricatures.ownerId, ownerId),
        or(inArray(caricatures.id, possibleIds(ownerId, caricature)), isSame),
      ),
    )
    .limit(1);
  return row ?? null;
}

/** By its id or its address, of which an owner has one contact. */
export async function hasContact(
  tx: Tx,
  ownerId: string,
  contact: Pick<ExportData['contacts'][number], 'id'>,
  suppressionEntryId: string,
): Promise<boolean> {
  const rows = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(
        eq(contacts.ownerId, ownerId),
        or(
          inArray(contacts.id, possibleIds(ownerId, contact)),
          eq(contacts.suppressionEntryId, suppressionEntryId),
        ),
      ),
    );
  return rows.length > 0;
}

export async function markUnsubscribed(tx: Tx, entryId: string, unsubscribedAt: Date): Promise<void> {
  await tx
    .update(suppressionEntries)
    .set({
      unsubscribedAt: sql`coalesce(${suppressionEntries.unsubscribedAt}, ${unsubscribedAt.toISOString()}::timestamptz)`,
    })
    .where(eq(suppressionEntries.id, entryId));
}

export async function mutePets(tx: Tx, contactId: string, petIds: string[]): Promise<void> {
  if (petIds.length > 0)
    await tx
      .insert(mutedPets)
      .values(petIds.map((petId) => ({ contactId, petId })))
      .onConflictDoNothing();
}

export async function setProfileImage(
  tx: Tx,
  id: string,
  columns: Pick<typeof pets.$inferInsert, 'profileImageId' | 'profileOriginalId' | 'profileCrop'>,
): Promise<void> {
  await tx
    .update(pets)
    .set({ ...columns, awaitsPicture: false })
    .where(eq(pets.id, id));
}

export async function insertImportedCaricature(
  tx: Tx,
  caricature: Pick<
    typeof caricatures.$inferInsert,
    'id' | 'ownerId' | 'petId' | 'imageId' | 'style' | 'generator' | 'createdAt'
  >,
): Promise<void> {
  const { createdAt } = caricature;
  const countedDay = createdAt.toISOString().slice(0, 10);
  await tx
    .insert(caricatures)
    .values({ ...caricature, status: 'completed', startedAt: createdAt, countedDay });
}

/** To memories that are in the album, where it refers to none. */
export async function linkCaricature(
  tx: Tx,
  { ownerId, id }: { ownerId: string; id: string },
  { memory, savedMemory }: { memory: (Existing & { imageId: string }) | null; savedMemory: Existing | null },
): Promise<void> {
  // Memories before caricatures, as everywhere. One of them may have been deleted since.
  const ids = [memory, savedMemory].flatMap((each) => (each ? [each.id] : []));
  const locked = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.ownerId, ownerId), inArray(memories.id, ids)))
    .orderBy(memories.id)
    .for('key share');
  if (locked.length < new Set(ids).size) return;
  await tx
    .update(caricatures)
    .set({
      memoryId: sql`coalesce(${caricatures.memoryId}, ${memory?.id ?? null}::uuid)`,
      originalImageId: sql`coalesce(${caricatures.originalImageId}, ${memory?.imageId ?? null}::uuid)`,
      savedMemoryId: sql`coalesce(${caricatures.savedMemoryId}, ${savedMemory?.id ?? null}::uuid)`,
    })
    .where(ownedBy(caricatures, ownerId, id));
}

export async function isAlbumEmpty(tx: Tx, ownerId: string): Promise<boolean> {
  for (const table of [memories, pets, contacts])
    if ((await tx.$count(table, eq(table.ownerId, ownerId))) > 0) return false;
  return true;
}
