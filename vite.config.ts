import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import subsetFont from 'subset-font';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorkerPlugin } from './client/build/service-worker-plugin.ts';

/** Keeps the Host header, so that upload URLs lead to Vite and not to the server. */
const server = { target: `http://127.0.0.1:${process.env['PORT'] ?? 5000}`, changeOrigin: false };

export default defineConfig({
  root: 'client',
  plugins: [
    react(),
    tailwindcss(),
    importIconFiles(),
    subsetFonts(),
    groupChunks(),
    compressAssets(),
    serviceWorkerPlugin(),
  ],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    // For the links in server/platform/http/pages/page-html.ts.
    manifest: true,
    // Older browsers load modules without it, only later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['client/index.html', 'client/src/first-tiles.ts'].map((path) =>
        join(import.meta.dirname, path),
      ),
    },
  },
  // wouter's support of React 17.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  server: {
    port: 5173,
    strictPort: false,
    proxy: {
      '/api': server,
      '/objects': server,
      '/uploads': server,
      '/.well-known': server,
      '/companion': { ...server, ws: true },
    },
  },
});

/** The fonts' part for Western European text, in the weights and sizes in use. See theme.css. */
function subsetFonts(): Plugin {
  const fonts = {
    'fraunces/files/fraunces-latin-opsz-normal': { wght: { min: 400, max: 600 }, opsz: { min: 14, max: 72 } },
    'figtree/files/figtree-latin-wght-normal': { wght: { min: 400, max: 700 } },
  };
  // As in theme.css.
  const range = '20-7E A0 A9 B7 C0 C4-C9 D1 D6 D8 DC DF-EF F1-F6 F8-FC 152-153 2013-2014 2018-201E 2022 2026';
  const text = range.split(' ').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map((code) => parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
  });
  return {
    name: 'subset-fonts',
    async buildStart() {
      const folder = fileURLToPath(new URL('.cache/fonts', import.meta.url));
      await mkdir(folder, { recursive: true });
      for (const [name, variationAxes] of Object.entries(fonts)) {
        const font = fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}.woff2`));
        const options = { targetFormat: 'woff2', variationAxes } as const;
        await writeFile(
          join(folder, basename(font)),
          await subsetFont(await readFile(font), text.join(''), options),
        );
      }
    },
  };
}

/**
 * Imports each icon from its file. Through lucide-react's index a module would import all icons, and groupChunks would put
 * them into the first chunk.
 */
function importIconFiles(): Plugin {
  const toFile = (name: string) =>
    name === 'createLucideIcon'
      ? `dist/esm/${name}.mjs`
      : `icons/${name.replace(/(?!^)([A-Z]|\d+)/g, '-$1').toLowerCase()}`;
  return {
    name: 'import-icon-files',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) => {
      if (!/\.tsx?$/.test(id) || !code.includes("'lucide-react'")) return null;
      return code.replace(/^import \{([^}]*)\} from 'lucide-react';$/gm, (_, names: string) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name && !name.startsWith('type '))
          .map((name) => `import ${name} from 'lucide-react/${toFile(name)}';`)
          .join(''),
      );
    },
  };
}

/**
 * Puts the modules that several pages import into a few chunks. With automatic chunks alone, one per set of pages, a page of
 * memories needs forty requests.
 */
function groupChunks(): Plugin {
  /** The entries and the dynamically imported modules that import a module statically, directly or not. */
  const importers = new Map<string, string[]>();
  const nameChunk = (id: string): string | null => {
    const entries = importers.get(id) ?? [];
    const count = (pattern: RegExp) => entries.filter((entry) => pattern.test(entry)).length;
    const isSignedIn = count(/\/signed-in-header\.tsx$/) > 0;
    const albumPages = count(/\/pages\/album\/(home|gallery|timeline|recently-deleted)-page\.tsx$/);
    const isHome = count(/\/pages\/album\/home-page\.tsx$/) > 0;
    const isAuth = count(/\/pages\/sign-in\/auth-page\.tsx$/) > 0;
    // React Query's index imports them for every page.
    if (/\/(useQueries|useInfiniteQuery|queriesObserver|infiniteQueryObserver)\.js$/.test(id)) return 'album';
    // What every page loads compresses better in one chunk.
    if (count(/\/main\.tsx$/) > 0) return id.endsWith('/main.tsx') ? null : 'main';
    if (entries.length < 2) return isSignedIn ? 'signed-in' : null;
    // Small, so that the first tiles do not wait for the app.
    if (count(/\/first-tiles\.ts$/) > 0) return 'first-tiles';
    if (count(/\/pages\/landing-page\.tsx$/) > 0) return 'main';
    if (isAuth) return isHome ? 'main' : 'forms';
    if (isSignedIn) return 'signed-in';
    // The first page of the album loads no forms and dialogs.
    if (albumPages > 1) return isHome ? 'album' : 'dialogs';
    return null;
  };
  return {
    name: 'group-chunks',
    apply: 'build',
    buildEnd() {
      for (const entry of this.getModuleIds()) {
        const info = this.getModuleInfo(entry);
        const isEntry = /\/(main\.tsx|first-tiles\.ts)$/.test(entry);
        if (!info || (!isEntry && info.dynamicImporters.length === 0)) continue;
        const reached = new Set([entry]);
        // Grows while it is iterated.
        for (const id of reached) {
          importers.set(id, [...(importers.get(id) ?? []), entry]);
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
        }
      }
    },
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: nameChunk, debugName: 'shared by pages' }],
      },
    }),
  };
}

/** The decoder for HEIC photos is larger, and would double the time of the build. */
const MAX_COMPRESSED_BYTES = 512 * 1024;

/** Writes a Brotli copy of each text, since the server has no time for the highest quality. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const folder = join(dir, 'assets');
      // The largest block.
      const params = { [constants.BROTLI_PARAM_LGBLOCK]: constants.BROTLI_MAX_INPUT_BLOCK_BITS };
      const texts = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const text = await readFile(join(folder, name));
          if (text.length > MAX_COMPRESSED_BYTES) return;
          await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(text, { params }));
        }),
      );
    },
  };
}
