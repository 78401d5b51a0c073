import { runBackupCommand } from '../../features/backups/backup-command.ts';
import { readConfig } from '../../platform/config/config.ts';
import { openBackupSource } from '../compose-backup.ts';
import { runCommand } from './run-command.ts';

// The standard output may be the backup.
const report = (line: string) => console.error(line);

await runCommand(() =>
  runBackupCommand(() => openBackupSource(readConfig(), report), process.argv.slice(2), report),
);
