import { and, asc, eq, isNull, lt } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { uploads, type RejectionReason } from '../../platform/db/schema/uploads.ts';

export type UploadRow = typeof uploads.$inferSelect;

export async function createUpload(db: Db | Tx, ownerId: string, createdAt: Date): Promise<UploadRow> {
  const [row] = await db
    .insert(uploads)
    .values({ id: uuidv7(), ownerId, status: 'open', createdAt })
    .returning();
  if (!row) throw new Error('The new upload was not returned');
  return row;
}

/** The upload for this position in a message; created if missing. */
export async function getUploadOfMessage(
  db: Db,
  ownerId: string,
  photo: { inboundMessageId: string; position: number },
  createdAt: Date,
): Promise<UploadRow> {
  await db
    .insert(uploads)
    .values({ id: uuidv7(), ownerId, status: 'open', createdAt, ...photo })
    .onConflictDoNothing();
  const isPhoto = and(
    eq(uploads.inboundMessageId, photo.inboundMessageId),
    eq(uploads.position, photo.position),
  );
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isPhoto));
  if (!row) throw new Error('The upload of the message is missing');
  return row;
}

export async function findUpload(db: Db | Tx, ownerId: string, id: string): Promise<UploadRow | null> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(ownedBy(uploads, ownerId, id));
  return row ?? null;
}

export async function lockUpload(tx: Tx, ownerId: string, id: string): Promise<UploadRow | null> {
  const [row] = await tx
    .select()
    .from(uploads)
    .where(ownedBy(uploads, ownerId, id))
    .for('update');
  return row ?? null;
}

export async function markUploadCompleted(
  tx: Tx,
  ownerId: string,
  id: string,
  memoryId: string,
): Promise<void> {
  await tx
    .update(uploads)
    .set({ status: 'completed', memoryId })
    .where(ownedBy(uploads, ownerId, id));
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

export async function findUploadToPurge(db: Db, before: Date): Promise<UploadRow | null> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(isNull(uploads.purgedAt), lt(uploads.createdAt, before)))
    .orderBy(asc(uploads.createdAt))
    .limit(1);
  return row ?? null;
}

export async function markUploadPurged(db: Db, ownerId: string, id: string, purgedAt: Date): Promise<void> {
  await db
    .update(uploads)
    .set({ purgedAt })
    .where(ownedBy(uploads, ownerId, id));
}

export async function deleteUpload(db: Db | Tx, ownerId: string, id: string): Promise<void> {
  await db.delete(uploads).where(ownedBy(uploads, ownerId, id));
}
