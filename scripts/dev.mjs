// npm run dev: restarts the API and reloads the pages when their sources change. One Ctrl-C ends both.
import { requireNode } from './lib/node-version.mjs';
import { loadEnvFile } from './lib/load-env-file.mjs';
import { root } from './lib/root.mjs';

requireNode();
process.chdir(root);
loadEnvFile();

const { ensurePackages } = await import('./lib/packages.mjs');
const { orEnd, run, runTool } = await import('./lib/run.mjs');
await orEnd(ensurePackages());

// `bundledScript` looks for these bundles here.
await run(process.execPath, ['scripts/lib/bundle-server.mjs', '.cache/programs']);
// The server runs from TypeScript. Vite serves the pages and proxies their requests to it.
const watch = ['--watch', '--watch-preserve-output', '--import', 'tsx', 'server/app/main.ts'];
// tsx would read the tsconfig.json of the root, which has no JSX setting.
const env = { ...process.env, TSX_TSCONFIG_PATH: 'server/tsconfig.json' };
const filter = (line) => !line.includes(' is at http');
await Promise.race([
  run(process.execPath, watch, { env, filter }),
  runTool('vite/bin/vite.js', ['--clearScreen', 'false']),
]);
// When one ends, SIGTERM ends the other.
process.kill(process.pid, 'SIGTERM');
