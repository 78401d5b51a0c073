import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { uploads, type RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';

export type UploadRow = typeof uploads.$inferSelect;

/** With a size it reserves storage. */
export async function createUpload(
  db: Db | Tx,
  ownerId: string,
  createdAt: Date,
  announced?: { byteSize: number; sha256: string | null; batchId: string | null },
): Promise<UploadRow> {
  const [row] = await db
    .insert(uploads)
    .values({
      id: uuidv7(),
      ownerId,
      status: 'open',
      createdAt,
      ...(announced && { ...announced, lastUsedAt: createdAt }),
    })
    .returning();
  if (!row) throw new Error('The new upload was not returned');
  return row;
}

/** What the open uploads of a browser reserve. */
export async function countOpenUploads(
  db: Db | Tx,
  ownerId: string,
): Promise<{ count: number; byteSize: number }> {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      byteSize: sql<number>`coalesce(sum(${uploads.byteSize}), 0)::float8`,
    })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), eq(uploads.status, 'open'), isNotNull(uploads.byteSize)));
  return row ?? { count: 0, byteSize: 0 };
}

/** False when the upload was no longer open: one that became a memory stays completed. */
export async function markUploadRejected(
  db: Db | Tx,
  ownerId: string,
  id: string,
  rejectionReason: RejectionReason,
): Promise<boolean> {
  const rejected = await db
    .update(uploads)
    .set({ status: 'rejected', rejectionReason })
    .where(and(ownedBy(uploads, ownerId, id), eq(uploads.status, 'open')))
    .returning({ id: uploads.id });
  return rejected.length > 0;
}

export async function deleteUpload(db: Db | Tx, ownerId: string, id: string): Promise<void> {
  await db.delete(uploads).where(ownedBy(uploads, ownerId, id));
}
