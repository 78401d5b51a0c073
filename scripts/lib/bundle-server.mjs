// Bundles the server into one file in the folder named as argument. A program of its own, so that esbuild's helper
// process and what NODE_ENV is for building end with it.
import { build } from 'esbuild';
import { join } from 'node:path';
import { root } from './root.mjs';

const { errors } = await build({
  absWorkingDir: root,
  entryPoints: ['server/main.ts'],
  outfile: join(process.argv[2], 'main.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
}).catch((error) => error);
process.exit(errors.length > 0 ? 1 : 0);
