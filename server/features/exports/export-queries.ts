import { and, asc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { exportParts, exports } from '../../platform/db/schema/transfers/exports.ts';

export type ExportRow = typeof exports.$inferSelect;
type ExportPartRow = typeof exportParts.$inferSelect;

/** An owner has at most one. */
export async function findExportOf(db: Db | Tx, ownerId: string): Promise<ExportRow | null> {
  const [row] = await db.select().from(exports).where(eq(exports.ownerId, ownerId));
  return row ?? null;
}

export async function insertExport(tx: Tx, ownerId: string, createdAt: Date): Promise<ExportRow> {
  const [row] = await tx
    .insert(exports)
    .values({ id: uuidv7(), ownerId, status: 'making', createdAt })
    .returning();
  if (!row) throw new Error('The new export was not returned');
  return row;
}

export function listExportParts(db: Db | Tx, exportId: string): Promise<ExportPartRow[]> {
  return db
    .select()
    .from(exportParts)
    .where(eq(exportParts.exportId, exportId))
    .orderBy(asc(exportParts.number));
}

/** A part of a completed export. */
export async function findStoredPart(
  db: Db,
  ownerId: string,
  id: string,
): Promise<(ExportPartRow & { byteSize: number; createdAt: Date; partCount: number }) | null> {
  const [row] = await db
    .select({
      part: exportParts,
      createdAt: exports.createdAt,
      partCount: sql<number>`(select count(*)::int from ${exportParts} as each where each.export_id = ${exports.id})`,
    })
    .from(exportParts)
    .innerJoin(exports, eq(exports.id, exportParts.exportId))
    .where(and(ownedBy(exportParts, ownerId, id), eq(exports.status, 'completed')));
  const byteSize = row?.part.byteSize;
  if (!row || byteSize === null || byteSize === undefined) return null;
  return { ...row.part, byteSize, createdAt: row.createdAt, partCount: row.partCount };
}

/** Its parts go along. @returns their ids */
export async function deleteExportRow(tx: Tx, id: string): Promise<string[]> {
  const parts = await tx.delete(exportParts).where(eq(exportParts.exportId, id)).returning();
  await tx.delete(exports).where(eq(exports.id, id));
  return parts.map((part) => part.id);
}

export function listExportsFinishedBefore(tx: Tx, instant: Date): Promise<{ id: string }[]> {
  return tx
    .select({ id: exports.id })
    .from(exports)
    .where(and(ne(exports.status, 'making'), lt(exports.finishedAt, instant)))
    .for('update', { skipLocked: true });
}

/** @returns the ids of the parts that an earlier worker wrote or began */
export async function deleteExportParts(tx: Tx, exportId: string): Promise<string[]> {
  const deleted = await tx
    .delete(exportParts)
    .where(eq(exportParts.exportId, exportId))
    .returning({ id: exportParts.id });
  return deleted.map(({ id }) => id);
}

export async function insertExportPart(
  db: Db,
  part: Pick<ExportPartRow, 'ownerId' | 'exportId' | 'number'>,
): Promise<string> {
  const id = uuidv7();
  await db.insert(exportParts).values({ id, ...part });
  return id;
}

export async function setPartSize(db: Db | Tx, id: string, byteSize: number): Promise<void> {
  await db.update(exportParts).set({ byteSize }).where(eq(exportParts.id, id));
}

export async function filterPartIds(db: Db, ids: string[]): Promise<string[]> {
  const rows = await db.select({ id: exportParts.id }).from(exportParts).where(inArray(exportParts.id, ids));
  return rows.map(({ id }) => id);
}
