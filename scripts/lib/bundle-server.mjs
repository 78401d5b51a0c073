// Bundles the server's programs and child processes. A separate process: esbuild's own helper would outlive the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';

/** ES modules of many small files, which start several times as fast in one. */
const BUNDLED_PACKAGES = [
  'drizzle-orm',
  'htmlparser2',
  'libphonenumber-js',
  'p-queue',
  'tldts',
  'uuid',
  'zod',
];
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const { errors } = await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'server/app/main.ts',
    'admin-main': 'server/app/commands/admin-main.ts',
    'backup-main': 'server/app/commands/backup-main.ts',
    'restore-main': 'server/app/commands/restore-main.ts',
    'demo-main': 'server/demo/demo-main.ts',
    'seed-main': 'server/demo/seed-main.ts',
    'decoder-process': 'server/platform/image-decoder/decoder-process/decoder-process.ts',
    'cartoon-filter-worker': 'server/platform/caricature-generator/cartoon-filter/cartoon-filter-worker.ts',
  },
  outdir: process.argv[2],
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: Object.keys(dependencies).filter((name) => !BUNDLED_PACKAGES.includes(name)),
  // Without splitting, what is imported on demand would be loaded at the start.
  splitting: true,
  sourcemap: true,
  // Stack traces need only positions.
  sourcesContent: false,
  logLevel: 'warning',
}).catch((error) => error);
process.exit(errors.length > 0 ? 1 : 0);
