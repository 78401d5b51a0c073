import { and, eq, inArray, lt, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { imports } from '../../platform/db/schema/transfers/imports.ts';

export type ImportRow = typeof imports.$inferSelect;

/** An owner has at most one. */
export async function findImportOf(db: Db | Tx, ownerId: string): Promise<ImportRow | null> {
  const [row] = await db.select().from(imports).where(eq(imports.ownerId, ownerId));
  return row ?? null;
}

export async function findImport(db: Db | Tx, ownerId: string, id: string): Promise<ImportRow | null> {
  const [row] = await db
    .select()
    .from(imports)
    .where(ownedBy(imports, ownerId, id));
  return row ?? null;
}

export async function insertImport(
  tx: Tx,
  values: Pick<ImportRow, 'ownerId' | 'fileName' | 'byteSize' | 'dataId' | 'createdAt'>,
): Promise<ImportRow> {
  const [row] = await tx
    .insert(imports)
    .values({ id: uuidv7(), status: 'receiving', receivedAt: values.createdAt, ...values })
    .returning();
  if (!row) throw new Error('The new import was not returned');
  return row;
}

export async function deleteImportRow(tx: Tx, id: string): Promise<void> {
  await tx.delete(imports).where(eq(imports.id, id));
}

/** Null unless this is the chunk that the import waits for. */
export async function addReceivedBytes(
  tx: Tx,
  { ownerId, id, receivedBytes }: Pick<ImportRow, 'ownerId' | 'id' | 'receivedBytes'>,
  { bytes, now }: { bytes: number; now: Date },
): Promise<ImportRow | null> {
  const next = receivedBytes + bytes;
  const [row] = await tx
    .update(imports)
    .set({
      receivedBytes: next,
      receivedAt: now,
      status: sql`case when ${imports.byteSize} = ${next} then 'working' else ${imports.status} end`,
    })
    .where(
      and(
        ownedBy(imports, ownerId, id),
        eq(imports.status, 'receiving'),
        eq(imports.receivedBytes, receivedBytes),
      ),
    )
    .returning();
  return row ?? null;
}

/** Those that ended before, and those of which nothing more was received. */
export function lockOldImports(tx: Tx, before: Date): Promise<ImportRow[]> {
  const hasEnded = inArray(imports.status, ['completed', 'failed']);
  return tx
    .select()
    .from(imports)
    .where(
      or(
        and(hasEnded, lt(imports.finishedAt, before)),
        and(eq(imports.status, 'receiving'), lt(imports.receivedAt, before)),
      ),
    )
    .for('update', { skipLocked: true });
}
