import { and, asc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { COPY_VERSION } from '#shared/photos/image-widths';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { storageUsage } from '../../platform/db/schema/storage-usage.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { lockUser } from '../accounts/users/user-queries.ts';

export type ImageRow = typeof images.$inferSelect;
/** By variant. */
export type CopyBytes = Record<string, number>;
/** With the copies that are stored already. */
export type NewImage = InspectedImage & { copyBytes?: CopyBytes };

const imageStatement = prepared((db) =>
  db
    .select()
    .from(images)
    .where(and(eq(images.id, sql.placeholder('id')), eq(images.ownerId, sql.placeholder('ownerId'))))
    .prepare('find_image'),
);

export async function findImage(db: Db, ownerId: string, id: string): Promise<ImageRow | null> {
  const [row] = await imageStatement(db).execute({ id, ownerId });
  return row ?? null;
}

export async function createImage(
  db: Db | Tx,
  {
    takenAt: _,
    id = uuidv7(),
    copyBytes = {},
    ...image
  }: NewImage & { id?: string; ownerId: string; objectKey: string; createdAt: Date },
): Promise<ImageRow> {
  const [row] = await db
    .insert(images)
    .values({ id, copyBytes, copyVersion: COPY_VERSION, ...image })
    .returning();
  if (!row) throw new Error('The new image was not returned');
  return row;
}

type ImageId = Pick<ImageRow, 'id' | 'ownerId'>;

/**
 * Call it before they are stored, so that a crash leaves none uncounted. Those of an earlier release stay uncounted until the
 * job counts all of them. False if the image was deleted.
 */
export function countCopies(db: Db, { id, ownerId }: ImageId, copyBytes: CopyBytes): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    const counted = await tx
      .update(images)
      .set({ copyBytes: sql`${images.copyBytes} || ${JSON.stringify(copyBytes)}::jsonb` })
      .where(ownedBy(images, ownerId, id))
      .returning({ id: images.id });
    return counted.length > 0;
  });
}

/** Some of those whose copies are from an earlier release, in the order of their ids. */
export function listUncountedImages(
  db: Db,
  afterId: string | null,
): Promise<(ImageId & Pick<ImageRow, 'copyVersion'>)[]> {
  return db
    .select({ id: images.id, ownerId: images.ownerId, copyVersion: images.copyVersion })
    .from(images)
    .where(and(isNull(images.copyBytes), afterId === null ? undefined : gt(images.id, afterId)))
    .orderBy(asc(images.id))
    .limit(100);
}

/** Some of those that an earlier version inspected and copied, in the order of their ids. */
export function listOutdatedImages(
  db: Db,
  {
    version,
    contentTypes,
    afterId,
  }: { version: number; contentTypes: readonly string[]; afterId: string | null },
): Promise<ImageRow[]> {
  return db
    .select()
    .from(images)
    .where(
      and(
        lt(images.copyVersion, version),
        inArray(images.contentType, [...contentTypes]),
        afterId === null ? undefined : gt(images.id, afterId),
      ),
    )
    .orderBy(asc(images.id))
    .limit(100);
}

/** Call it once the new copies are stored. @param outdated copies that are not made again before a request for them */
export function setCopyVersion(
  db: Db,
  { id, ownerId }: ImageId,
  values: Pick<ImageRow, 'copyVersion'> & Partial<InspectedImage>,
  outdated: string[],
): Promise<void> {
  return db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    await tx
      .update(images)
      .set({ ...values, copyBytes: sql`${images.copyBytes} - ${sql.param(outdated)}::text[]` })
      .where(ownedBy(images, ownerId, id));
  });
}

/** Idempotent. The limit grows by as much. */
export async function countOldCopies(db: Db, { id, ownerId }: ImageId, copyBytes: CopyBytes): Promise<void> {
  const bytes = Object.values(copyBytes).reduce((sum, each) => sum + each, 0);
  await db.transaction(async (tx) => {
    await lockUser(tx, ownerId);
    const counted = await tx
      .update(images)
      .set({ copyBytes })
      .where(and(ownedBy(images, ownerId, id), isNull(images.copyBytes)))
      .returning({ id: images.id });
    if (counted.length === 0) return;
    await tx
      .update(storageUsage)
      .set({ allowanceBytes: sql`${storageUsage.allowanceBytes} + ${bytes}` })
      .where(eq(storageUsage.ownerId, ownerId));
  });
}

export async function deleteImageRow(tx: Tx, ownerId: string, id: string): Promise<ImageRow | null> {
  const [row] = await tx
    .delete(images)
    .where(ownedBy(images, ownerId, id))
    .returning();
  return row ?? null;
}
