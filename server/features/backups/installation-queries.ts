import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../platform/db/database.ts';
import { installation } from '../../platform/db/schema/installation.ts';

export type InstallationRow = typeof installation.$inferSelect;

/** Inserts it at the first start with nightly backups. */
export async function openInstallation(db: Db, now: Date): Promise<InstallationRow> {
  await db.insert(installation).values({ id: randomUUID(), backupsSince: now }).onConflictDoNothing();
  return getInstallation(db);
}

export async function getInstallation(db: Db | Tx): Promise<InstallationRow> {
  const [row] = await db.select().from(installation);
  if (!row) throw new Error('The installation has no row');
  return row;
}

export async function setHasNightlyBackup(tx: Tx): Promise<void> {
  await tx.update(installation).set({ hasNightlyBackup: true });
}
