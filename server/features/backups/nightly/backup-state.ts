import type { BackupState } from '#shared/transfers/backup';
import type { AppContext } from '../../../platform/context.ts';
import { getInstallation } from '../installation-queries.ts';
import { findLastBackupRuns } from './backup-run-queries.ts';

/** A night later it may take two hours more. */
const MAX_AGE_HOURS = 26;
const HOUR_MS = 60 * 60 * 1000;

/** With warnings for the monitoring: `lateness` is the one about the age. Null if no nightly backups are configured. */
export async function findBackupState({
  config,
  db,
  clock,
}: Pick<AppContext, 'config' | 'db' | 'clock'>): Promise<{
  backup: BackupState;
  lateness: string | null;
  warnings: string[];
} | null> {
  if (!config.backups) return null;
  const { completed, failed } = await findLastBackupRuns(db);
  const { backupsSince } = await getInstallation(db);
  const startedAt = completed?.startedAt ?? null;
  const hasFailed = failed && (!startedAt || failed.startedAt > startedAt);
  const failure = hasFailed
    ? { at: failed.startedAt.toISOString(), reason: failed.failureReason ?? '' }
    : null;
  const hoursSince = (time: Date) => Math.floor((clock.now().getTime() - time.getTime()) / HOUR_MS);
  const ageHours = startedAt && hoursSince(startedAt);
  const isLate = (ageHours ?? hoursSince(backupsSince)) > MAX_AGE_HOURS;
  const age =
    ageHours === null ? 'There is no complete backup yet.' : `The last backup is ${ageHours} hours old.`;
  return {
    backup: { lastBackupAt: startedAt?.toISOString() ?? null, ageHours, failure },
    lateness: isLate ? age : null,
    warnings: [
      ...(isLate ? [age] : []),
      ...(failure ? [`The nightly backup failed: ${failure.reason}`] : []),
    ],
  };
}
