import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { images } from '../../platform/db/schema/images.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';

export type ImageRow = typeof images.$inferSelect;

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
    ...image
  }: InspectedImage & { id?: string; ownerId: string; objectKey: string; createdAt: Date },
): Promise<ImageRow> {
  const [row] = await db
    .insert(images)
    .values({ id, ...image })
    .returning();
  if (!row) throw new Error('The new image was not returned');
  return row;
}

export async function deleteImageRow(tx: Tx, ownerId: string, id: string): Promise<ImageRow | null> {
  const [row] = await tx
    .delete(images)
    .where(ownedBy(images, ownerId, id))
    .returning();
  return row ?? null;
}
