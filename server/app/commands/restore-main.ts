import { runRestoreCommand } from '../../features/backups/backup-command.ts';
import { readConfig } from '../../platform/config/config.ts';
import { openTarget } from '../compose-backup.ts';
import { runCommand } from './run-command.ts';

const report = (line: string) => console.log(line);

await runCommand(() => runRestoreCommand(openTarget(readConfig(), report), process.argv.slice(2), report));
