import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { flipbookPdfs } from '../../platform/db/schema/flipbook-pdfs.ts';

export type FlipbookPdfRow = typeof flipbookPdfs.$inferSelect;

/** Null when it is not there or not this owner's. */
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

/** The one that an owner has, or null. */
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

/** What was there, if it was. */
export function deleteFlipbookPdfRow(tx: Tx, ownerId: string, id: string): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(ownedBy(flipbookPdfs, ownerId, id))
    .returning({ id: flipbookPdfs.id });
}

/** Those that hold a memory. */
export function deleteFlipbookPdfRowsWith(
  tx: Tx,
  ownerId: string,
  memoryId: string,
): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(and(eq(flipbookPdfs.ownerId, ownerId), sql`${memoryId}::uuid = any(${flipbookPdfs.memoryIds})`))
    .returning({ id: flipbookPdfs.id });
}

/** Those whose time is over, whoever's they are. */
export function deleteFlipbookPdfRowsFinishedBefore(tx: Tx, instant: Date): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(and(sql`${flipbookPdfs.status} in ('completed', 'failed')`, lt(flipbookPdfs.finishedAt, instant)))
    .returning({ id: flipbookPdfs.id });
}

/** A worker takes one over that nobody is at work on. Null when somebody is, or when there is nothing to do. */
export async function claimFlipbookPdf(
  db: Db,
  { ownerId, id, workerId, now, silentBefore }: Claim & { silentBefore: Date },
): Promise<FlipbookPdfRow | null> {
  const [row] = await db
    .update(flipbookPdfs)
    .set({ workerId, heartbeatAt: now, attempts: sql`${flipbookPdfs.attempts} + 1` })
    .where(and(isBeingMade(ownerId, id), isSilentSince(silentBefore)))
    .returning();
  return row ?? null;
}

/** The worker that a PDF was claimed by. */
type Claim = { ownerId: string; id: string; workerId: string; now: Date };

/** What the worker has come to. False when the PDF is no longer its own, or no longer wanted. */
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

/** Gives one back after a failure, for another try. */
export async function releaseFlipbookPdf(
  db: Db,
  { ownerId, id, workerId }: Omit<Claim, 'now'>,
): Promise<void> {
  await db
    .update(flipbookPdfs)
    .set({ workerId: null, heartbeatAt: null })
    .where(and(isBeingMade(ownerId, id), eq(flipbookPdfs.workerId, workerId)));
}

/** Those that a worker began and then fell silent over, and those that no worker has ever got. */
export function listOrphanedFlipbookPdfs(
  tx: Tx,
  { silentBefore, lostBefore }: { silentBefore: Date; lostBefore: Date },
): Promise<{ id: string; ownerId: string }[]> {
  const isLost = and(isNull(flipbookPdfs.heartbeatAt), lt(flipbookPdfs.createdAt, lostBefore));
  return tx
    .select({ id: flipbookPdfs.id, ownerId: flipbookPdfs.ownerId })
    .from(flipbookPdfs)
    .where(and(eq(flipbookPdfs.status, 'making'), or(lt(flipbookPdfs.heartbeatAt, silentBefore), isLost)));
}

function isBeingMade(ownerId: string, id: string) {
  return and(ownedBy(flipbookPdfs, ownerId, id), eq(flipbookPdfs.status, 'making'));
}

function isSilentSince(instant: Date) {
  return or(isNull(flipbookPdfs.heartbeatAt), lt(flipbookPdfs.heartbeatAt, instant));
}
