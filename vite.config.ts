import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Keeps the Host header, so that upload URLs lead to Vite and not to the server. */
const server = { target: `http://127.0.0.1:${process.env['PORT'] ?? 5000}`, changeOrigin: false };

export default defineConfig({
  root: 'client',
  plugins: [react(), tailwindcss(), compressAssets()],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: nameChunk }] } },
    },
  },
  server: {
    port: 5173,
    strictPort: false,
    proxy: {
      '/api': server,
      '/objects': server,
      '/uploads': server,
      '/companion': { ...server, ws: true },
    },
  },
});

/**
 * Names the chunk of a module that several pages import; null for an automatic chunk. With automatic chunks alone, one per
 * set of pages, a page of memories needs forty requests.
 */
function nameChunk(id: string, context: Rolldown.ChunkingContext): string | null {
  const entries = findEntries(id, context);
  const count = (pattern: RegExp) => entries.filter((entry) => pattern.test(entry)).length;
  if (entries.length < 2) return null;
  if (count(/\/main\.tsx$|\.html$/) > 0) return 'main';
  if (count(/\/pages\/landing-page\.tsx$/) > 0) return 'landing';
  if (count(/\/pages\/(auth|forgot-password|reset-password)-page\.tsx$/) > 0) return 'forms';
  return count(/\/pages\/(home|gallery|timeline|recently-deleted)-page\.tsx$/) > 1 ? 'album' : null;
}

/** The entry and the dynamically imported modules that import a module statically, directly or not. */
function findEntries(id: string, context: Rolldown.ChunkingContext): string[] {
  const found = new Set([id]);
  // Grows while it is iterated.
  for (const each of found)
    for (const importer of context.getModuleInfo(each)?.importers ?? []) found.add(importer);
  return [...found].filter((each) => {
    const info = context.getModuleInfo(each);
    return info && (info.isEntry || info.dynamicImporters.length > 0);
  });
}

/** Writes a Brotli copy of each text, since the server has no time for the highest quality. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const folder = join(dir, 'assets');
      const texts = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const compressed = await promisify(brotliCompress)(await readFile(join(folder, name)));
          await writeFile(join(folder, `${name}.br`), compressed);
        }),
      );
    },
  };
}
