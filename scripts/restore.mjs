// npm run restore -- FILE: restores a backup into an empty installation. With --check it only says whether it can.
import { resolve } from 'node:path';
import { requireNode } from './lib/node-version.mjs';

requireNode();
// npm changes to the project's folder; file names are relative to where it was called.
process.argv = process.argv.map((each, index) =>
  index < 2 || each.startsWith('-') ? each : resolve(process.env.INIT_CWD ?? '.', each),
);
const { execServer } = await import('./lib/exec-server.mjs');
await execServer('restore-main');
