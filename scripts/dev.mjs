// npm run dev: the API started anew and the pages reloaded whenever their sources change. One Ctrl-C ends both.
import { requireNode } from './lib/node-version.mjs';
import { existsSync } from 'node:fs';
import { root } from './lib/root.mjs';

requireNode();
process.chdir(root);
const envFile = process.env.ENV_FILE ?? '.env';
if (envFile && existsSync(envFile)) process.loadEnvFile(envFile);

const { ensurePackages } = await import('./lib/packages.mjs');
const { orEnd, run, runTool } = await import('./lib/run.mjs');
await orEnd(ensurePackages());

// The programs that run beside the server, where `program-file` looks for them.
await run(process.execPath, ['scripts/lib/bundle-server.mjs', '.cache/programs']);
// The server reads TypeScript itself here; what the pages ask of it goes through Vite, at whose address all is served.
const watch = ['--watch', '--watch-preserve-output', '--import', 'tsx', 'server/app/main.ts'];
// tsx looks for it in the folder above, where it says nothing of JSX.
const env = { ...process.env, TSX_TSCONFIG_PATH: 'server/tsconfig.json' };
const filter = (line) => !line.includes(' is at http');
await Promise.race([
  run(process.execPath, watch, { env, filter }),
  runTool('vite/bin/vite.js', ['--clearScreen', 'false']),
]);
// Neither ends by itself: when one does, the other has no use. The handler of SIGTERM ends it.
process.kill(process.pid, 'SIGTERM');
