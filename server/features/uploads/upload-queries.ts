import { and, asc, eq, isNull, lt } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { uploads } from '../../platform/db/schema/uploads.ts';

export type UploadRow = typeof uploads.$inferSelect;

export async function createUpload(db: Db | Tx, ownerId: string, createdAt: Date): Promise<UploadRow> {
  const [row] = await db
    .insert(uploads)
    .values({ id: uuidv7(), ownerId, status: 'open', createdAt })
    .returning();
  if (!row) throw new Error('The new upload was not returned');
  return row;
}

/** The one for this place in a message, made where it is not there yet. */
export async function getUploadOfMessage(
  db: Db,
  ownerId: string,
  place: { inboundMessageId: string; position: number },
  createdAt: Date,
): Promise<UploadRow> {
  await db
    .insert(uploads)
    .values({ id: uuidv7(), ownerId, status: 'open', createdAt, ...place })
    .onConflictDoNothing();
  const isPlace = and(
    eq(uploads.inboundMessageId, place.inboundMessageId),
    eq(uploads.position, place.position),
  );
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isPlace));
  if (!row) throw new Error('The upload of the message is not there');
  return row;
}

/** Null when it is not there or not this owner's. */
export async function findUpload(db: Db | Tx, ownerId: string, id: string): Promise<UploadRow | null> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(ownedBy(uploads, ownerId, id));
  return row ?? null;
}

/** The same, and nobody else may change it before the transaction ends. */
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

/** Only an open one: what has become a memory stays one. False when it was not open any more. */
export async function markUploadRefused(
  db: Db | Tx,
  ownerId: string,
  id: string,
  refusal: { status: number; message: string },
): Promise<boolean> {
  const refused = await db
    .update(uploads)
    .set({ status: 'refused', refusalStatus: refusal.status, refusalMessage: refusal.message })
    .where(and(ownedBy(uploads, ownerId, id), eq(uploads.status, 'open')))
    .returning({ id: uploads.id });
  return refused.length > 0;
}

/** The oldest upload from before then that was not purged yet. */
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
