import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { flipbookPdfs } from '../../platform/db/schema/flipbook-pdfs.ts';

export type FlipbookPdfRow = typeof flipbookPdfs.$inferSelect;

export async function findFlipbookPdf(
  db: Db | Tx,
  ownerId: string,
  id: string,
): Promise<FlipbookPdfRow | null> {
  const [row] = await db
    .select()
    .from(flipbookPdfs)
    .where(ownedBy(flipbookPdfs, ownerId, id));
  return row ?? null;
}

/** An owner has at most one. */
export async function findFlipbookPdfOf(tx: Tx, ownerId: string): Promise<FlipbookPdfRow | null> {
  const [row] = await tx.select().from(flipbookPdfs).where(eq(flipbookPdfs.ownerId, ownerId));
  return row ?? null;
}

export async function insertFlipbookPdf(
  tx: Tx,
  pdf: Pick<FlipbookPdfRow, 'ownerId' | 'memoryIds' | 'timeZone' | 'createdAt'>,
): Promise<FlipbookPdfRow> {
  const [row] = await tx
    .insert(flipbookPdfs)
    .values({ id: uuidv7(), status: 'making', ...pdf })
    .returning();
  if (!row) throw new Error('The new PDF was not returned');
  return row;
}

export function deleteFlipbookPdfRow(tx: Tx, ownerId: string, id: string): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(ownedBy(flipbookPdfs, ownerId, id))
    .returning({ id: flipbookPdfs.id });
}

export function deleteFlipbookPdfRowsWithMemory(
  tx: Tx,
  ownerId: string,
  memoryId: string,
): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(and(eq(flipbookPdfs.ownerId, ownerId), sql`${memoryId}::uuid = any(${flipbookPdfs.memoryIds})`))
    .returning({ id: flipbookPdfs.id });
}

export function deleteFlipbookPdfRowsFinishedBefore(tx: Tx, instant: Date): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(and(sql`${flipbookPdfs.status} in ('completed', 'failed')`, lt(flipbookPdfs.finishedAt, instant)))
    .returning({ id: flipbookPdfs.id });
}

/** Null while another worker's heartbeat is recent, or when the PDF is not being made. */
export async function claimFlipbookPdf(
  db: Db,
  { ownerId, id, workerId, now, heartbeatBefore }: Claim & { heartbeatBefore: Date },
): Promise<FlipbookPdfRow | null> {
  const [row] = await db
    .update(flipbookPdfs)
    .set({ workerId, heartbeatAt: now, attempts: sql`${flipbookPdfs.attempts} + 1` })
    .where(and(isBeingMade(ownerId, id), hasNoHeartbeatSince(heartbeatBefore)))
    .returning();
  return row ?? null;
}

type Claim = { ownerId: string; id: string; workerId: string; now: Date };

/** Writes a heartbeat and the changes. False when another worker has claimed the PDF, or it was deleted. */
export async function updateClaimedFlipbookPdf(
  db: Db,
  { ownerId, id, workerId, now }: Claim,
  changes: Partial<Pick<FlipbookPdfRow, 'memoriesDone' | 'status' | 'finishedAt'>> = {},
): Promise<boolean> {
  const rows = await db
    .update(flipbookPdfs)
    .set({ heartbeatAt: now, ...changes })
    .where(and(isBeingMade(ownerId, id), eq(flipbookPdfs.workerId, workerId)))
    .returning({ id: flipbookPdfs.id });
  return rows.length > 0;
}

/** Ends the claim, so that a retry can start at once. */
export async function releaseFlipbookPdf(
  db: Db,
  { ownerId, id, workerId }: Omit<Claim, 'now'>,
): Promise<void> {
  await db
    .update(flipbookPdfs)
    .set({ workerId: null, heartbeatAt: null })
    .where(and(isBeingMade(ownerId, id), eq(flipbookPdfs.workerId, workerId)));
}

/** Those whose worker stopped its heartbeat, and old ones that no worker has claimed. */
export function listStalledFlipbookPdfs(
  tx: Tx,
  { heartbeatBefore, createdBefore }: { heartbeatBefore: Date; createdBefore: Date },
): Promise<{ id: string; ownerId: string }[]> {
  const isUnclaimed = and(isNull(flipbookPdfs.heartbeatAt), lt(flipbookPdfs.createdAt, createdBefore));
  return tx
    .select({ id: flipbookPdfs.id, ownerId: flipbookPdfs.ownerId })
    .from(flipbookPdfs)
    .where(
      and(eq(flipbookPdfs.status, 'making'), or(lt(flipbookPdfs.heartbeatAt, heartbeatBefore), isUnclaimed)),
    );
}

function isBeingMade(ownerId: string, id: string) {
  return and(ownedBy(flipbookPdfs, ownerId, id), eq(flipbookPdfs.status, 'making'));
}

function hasNoHeartbeatSince(instant: Date) {
  return or(isNull(flipbookPdfs.heartbeatAt), lt(flipbookPdfs.heartbeatAt, instant));
}
