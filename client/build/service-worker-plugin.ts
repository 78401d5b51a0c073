import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';
import { listPrecache, WORKER } from './precache.ts';

/** Bundles the service worker with the list of the files that it stores. */
export function serviceWorkerPlugin(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    writeBundle: {
      // After public/ was copied, and the compressed copies were written.
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const names = await readdir(dir, { recursive: true, withFileTypes: true });
        const paths = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
        const files = new Map<string, Uint8Array>();
        for (const path of paths)
          files.set(path.slice(dir.length + 1).replaceAll('\\', '/'), await readFile(path));
        await build({
          entryPoints: [join(import.meta.dirname, '../src/service-worker/service-worker.ts')],
          outfile: join(dir, WORKER),
          bundle: true,
          minify: true,
          format: 'iife',
          target: 'es2022',
          define: {
            PRECACHE: JSON.stringify(listPrecache(files)),
            'process.env.NODE_ENV': '"production"',
          },
        });
      },
    },
  };
}
