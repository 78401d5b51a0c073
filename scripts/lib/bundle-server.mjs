// Bundles the server's programs and child processes. A separate process: esbuild's own helper would outlive the build.
import { build } from 'esbuild';
import { root } from './root.mjs';

const { errors } = await build({
  absWorkingDir: root,
  entryPoints: {
    main: 'server/app/main.ts',
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
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
}).catch((error) => error);
process.exit(errors.length > 0 ? 1 : 0);
