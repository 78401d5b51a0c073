import { and, eq, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { flipbookPdfs } from '../../platform/db/schema/album/flipbook-pdfs.ts';

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
  pdf: Pick<FlipbookPdfRow, 'ownerId' | 'title' | 'memoryIds' | 'timeZone' | 'createdAt'>,
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

export function deleteFlipbookPdfRowsFinishedBefore(tx: Tx, instant: Date): Promise<{ id: string }[]> {
  return tx
    .delete(flipbookPdfs)
    .where(and(sql`${flipbookPdfs.status} in ('completed', 'failed')`, lt(flipbookPdfs.finishedAt, instant)))
    .returning({ id: flipbookPdfs.id });
}
