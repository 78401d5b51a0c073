// npm run backup -- FILE: backs up the installation, also while the app runs. - stands for the standard output.
import { resolve } from 'node:path';
import { requireNode } from './lib/node-version.mjs';

requireNode();
const { INIT_CWD, npm_lifecycle_event: isNpm, npm_config_loglevel: npmLogs } = process.env;
if (isNpm && npmLogs !== 'silent' && process.argv.includes('-')) {
  console.error('npm writes lines of its own to the standard output. Use npm run --silent backup -- -');
  process.exit(1);
}
// npm changes to the project's folder; file names are relative to where it was called.
process.argv = process.argv.map((each, index) =>
  index < 2 || each.startsWith('-') ? each : resolve(INIT_CWD ?? '.', each),
);
// The standard output may be the backup.
console.log = console.error;
const { execServer } = await import('./lib/exec-server.mjs');
await execServer('backup-main');
