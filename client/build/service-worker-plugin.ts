import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

const WORKER = 'service-worker.js';

/** Not the decoder of HEIC previews (2 MB), and nothing that the shell does not need offline. */
const LEFT_OUT = [
  /\.(br|map|json)$/,
  /^\./,
  new RegExp(`^${WORKER}$`),
  /^icons\//,
  /^assets\/heic-preview-worker-/,
  /^assets\/first-tiles-/,
  /^assets\/.*\.webp$/,
];

interface Precache {
  /** Changes with any file. */
  version: string;
  /** Without a revision where the name has the content's hash. */
  entries: { url: string; revision: string | null }[];
}

/** @param files paths in the built client's folder */
export function listPrecache(files: ReadonlyMap<string, Uint8Array>): Precache {
  const entries = [...files]
    .filter(([path]) => !LEFT_OUT.some((pattern) => pattern.test(path)))
    .map(([path, bytes]) => ({
      url: `/${path}`,
      revision: path.startsWith('assets/') ? null : hash(bytes),
    }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
  return { version: hash(JSON.stringify(entries)), entries };
}

function hash(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

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
