import { and, asc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { uploads, type PhotoBefore } from '../../platform/db/schema/transfers/uploads.ts';
import type { UploadRow } from '../storage/open-upload-queries.ts';

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
  result: { memoryId: string; before: PhotoBefore },
): Promise<void> {
  await tx
    .update(uploads)
    .set({ status: 'completed', ...result })
    .where(ownedBy(uploads, ownerId, id));
}

/** Ends of the times in which an upload was requested, and last used. */
type IdleSince = { requested: Date; used: Date };

/** Open uploads of a browser that nothing is being sent to. */
function isIdle({ requested, used }: IdleSince) {
  const isUnused = and(eq(uploads.lastUsedAt, uploads.createdAt), lte(uploads.createdAt, requested));
  return and(eq(uploads.status, 'open'), or(isUnused, lte(uploads.lastUsedAt, used)));
}

/** The oldest first. They may have stored bytes: S3 does not tell us of a PUT. */
export async function listIdleUploads(db: Db, ownerId: string, since: IdleSince): Promise<string[]> {
  const rows = await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isIdle(since)))
    .orderBy(asc(uploads.createdAt), asc(uploads.id));
  return rows.map(({ id }) => id);
}

/** Those of the ids that are still idle, the oldest first. */
export async function lockIdleUploads(
  tx: Tx,
  ownerId: string,
  ids: string[],
  since: IdleSince,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.ownerId, ownerId), isIdle(since), inArray(uploads.id, ids)))
    .orderBy(asc(uploads.createdAt), asc(uploads.id))
    .for('update');
  return rows.map(({ id }) => id);
}

/** Puts off the purge of an open upload, unless it has no `lastUsedAt`. Null when the upload is missing. */
export async function markUploadUsed(
  db: Db,
  id: string,
  lastUsedAt: Date,
): Promise<UploadRow['status'] | null> {
  await db
    .update(uploads)
    .set({ lastUsedAt })
    .where(and(eq(uploads.id, id), eq(uploads.status, 'open'), isNotNull(uploads.lastUsedAt)));
  const [row] = await db.select({ status: uploads.status }).from(uploads).where(eq(uploads.id, id));
  return row?.status ?? null;
}

/** After a PUT that stored nothing. */
export async function markUploadUnused(db: Db, id: string): Promise<void> {
  await db
    .update(uploads)
    .set({ lastUsedAt: uploads.createdAt })
    .where(and(eq(uploads.id, id), eq(uploads.status, 'open'), isNotNull(uploads.lastUsedAt)));
}

export async function reserveUploadBytes(
  tx: Tx,
  ownerId: string,
  id: string,
  reservation: { byteSize: number; lastUsedAt: Date },
): Promise<void> {
  await tx
    .update(uploads)
    .set(reservation)
    .where(ownedBy(uploads, ownerId, id));
}

/** Open uploads of browsers that were last used in this time. */
export async function listOpenUploads(db: Db, lastUsed: { from: Date; before: Date }): Promise<UploadRow[]> {
  return db
    .select()
    .from(uploads)
    .where(
      and(
        eq(uploads.status, 'open'),
        gte(uploads.lastUsedAt, lastUsed.from),
        lt(uploads.lastUsedAt, lastUsed.before),
      ),
    )
    .orderBy(asc(uploads.createdAt));
}

export async function findUploadToPurge(
  db: Db,
  before: { unused: Date; uploaded: Date; created: Date },
): Promise<UploadRow | null> {
  const isOver = or(
    and(ne(uploads.status, 'open'), lt(uploads.lastUsedAt, before.unused)),
    lt(uploads.lastUsedAt, before.uploaded),
    lt(uploads.createdAt, before.created),
  );
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(isNull(uploads.purgedAt), isOver))
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
