import { and, desc, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { backupRuns } from '../../../platform/db/schema/transfers/backup-runs.ts';

export type BackupRunRow = typeof backupRuns.$inferSelect;

const RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** Also deletes runs older than 90 days. */
export async function insertBackupRun(tx: Tx, run: BackupRunRow): Promise<void> {
  await tx.insert(backupRuns).values(run);
  await tx
    .delete(backupRuns)
    .where(lt(backupRuns.startedAt, new Date(run.startedAt.getTime() - RETENTION_MS)));
}

/** The last completed run, and the last one that failed. */
export async function findLastBackupRuns(
  db: Db | Tx,
): Promise<{ completed: BackupRunRow | null; failed: BackupRunRow | null }> {
  const last = async (condition: ReturnType<typeof and>) => {
    const [row] = await db
      .select()
      .from(backupRuns)
      .where(condition)
      .orderBy(desc(backupRuns.startedAt))
      .limit(1);
    return row ?? null;
  };
  return {
    completed: await last(isNull(backupRuns.failureReason)),
    failed: await last(isNotNull(backupRuns.failureReason)),
  };
}

/** When administrators were last emailed about a failure since the last completed backup. */
export async function findLastAnnouncement(tx: Tx): Promise<Date | null> {
  const { completed } = await findLastBackupRuns(tx);
  const [row] = await tx
    .select({ startedAt: backupRuns.startedAt })
    .from(backupRuns)
    .where(
      and(
        eq(backupRuns.isAnnounced, true),
        completed ? gt(backupRuns.startedAt, completed.startedAt) : undefined,
      ),
    )
    .orderBy(desc(backupRuns.startedAt))
    .limit(1);
  return row?.startedAt ?? null;
}
