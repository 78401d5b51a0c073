import { eq, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { storageUsage } from '../../platform/db/schema/storage-usage.ts';

type StoredBytes = {
  /** Photos with their copies, and texts, in the trash as well: they can be restored. Changes count at the commit. */
  bytes: number;
  /** Added to the account's limit. */
  allowanceBytes: number;
};

export async function findStoredBytes(db: Db | Tx, ownerId: string): Promise<StoredBytes> {
  const { bytes, allowanceBytes } = storageUsage;
  const [row] = await db
    .select({ bytes, allowanceBytes })
    .from(storageUsage)
    .where(eq(storageUsage.ownerId, ownerId));
  return row ?? { bytes: 0, allowanceBytes: 0 };
}

/** Counts the changes of this transaction now instead of at its commit. */
export async function countStorageNow(tx: Tx): Promise<void> {
  await tx.execute(sql`set constraints count_storage_bytes immediate`);
}
