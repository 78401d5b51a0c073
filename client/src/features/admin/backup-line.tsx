import { useBackupState } from './admin-api.ts';
import { formatLastBackup } from './admin-user-text.ts';

/** Nothing if there are no nightly backups. */
export function BackupLine() {
  const { data: backup } = useBackupState();
  if (!backup) return null;
  return (
    <span className="mt-2 block text-small">
      {backup.failure && (
        <span className="block wrap-anywhere text-danger">
          The nightly backup failed: {backup.failure.reason}
        </span>
      )}
      {formatLastBackup(backup)}
    </span>
  );
}
