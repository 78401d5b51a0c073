import { and, asc, eq, getTableColumns, gte, isNull, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';

/**
 * The hash of the image, because of earlier duplicates only one has a `memories.image_sha256`. Includes the trash, also past its
 * retention.
 */
function isOfPhotos(ownerId: string, hashes: string[]) {
  return and(
    eq(memories.ownerId, ownerId),
    eq(images.ownerId, ownerId),
    sql`${images.sha256} = any(${sql.param(hashes)}::text[])`,
  );
}

/** One in the album comes before those in the trash, of which the last deleted comes first. */
const orderOfDuplicates = [
  sql`${memories.deletedAt} desc nulls first`,
  asc(memories.createdAt),
  asc(memories.id),
];

/** Also from the trash, and past its retention. */
export async function findMemoryOfPhoto(
  db: Db | Tx,
  ownerId: string,
  sha256: string,
): Promise<typeof memories.$inferSelect | null> {
  const [row] = await selectMemoryOfPhoto(db, ownerId, sha256);
  return row ?? null;
}

/** Like `findMemoryOfPhoto`. */
export async function lockMemoryOfPhoto(
  tx: Tx,
  ownerId: string,
  sha256: string,
): Promise<typeof memories.$inferSelect | null> {
  const [row] = await selectMemoryOfPhoto(tx, ownerId, sha256).for('update', { of: memories });
  return row ?? null;
}

function selectMemoryOfPhoto(db: Db | Tx, ownerId: string, sha256: string) {
  return db
    .select(getTableColumns(memories))
    .from(memories)
    .innerJoin(images, eq(images.id, memories.imageId))
    .where(isOfPhotos(ownerId, [sha256]))
    .orderBy(...orderOfDuplicates)
    .limit(1);
}

/** Those of the photos that the owner's album has, or its trash since `trashedSince`. */
export function listKnownPhotos(
  db: Db,
  ownerId: string,
  hashes: string[],
  trashedSince: Date,
): Promise<{ sha256: string; memoryId: string; isDeleted: boolean }[]> {
  return db
    .selectDistinctOn([images.sha256], {
      sha256: images.sha256,
      memoryId: memories.id,
      isDeleted: sql<boolean>`${memories.deletedAt} is not null`,
    })
    .from(memories)
    .innerJoin(images, eq(images.id, memories.imageId))
    .where(
      and(isOfPhotos(ownerId, hashes), or(isNull(memories.deletedAt), gte(memories.deletedAt, trashedSince))),
    )
    .orderBy(images.sha256, ...orderOfDuplicates);
}
