import { expect, it } from 'vitest';
import { listPrecache } from './precache.ts';

const build = (files: Record<string, string>) =>
  listPrecache(new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)])));

const FILES = {
  'index.html': '<html>',
  'theme.js': 'theme',
  'manifest.webmanifest': '{}',
  'assets/main-abc.js': 'main',
  'assets/main-abc.js.br': 'compressed',
  'assets/main-abc.css': 'style',
  'assets/figtree-abc.woff2': 'font',
  'assets/heic-preview-worker-abc.js': 'two megabytes',
  'assets/first-tiles-abc.js': 'for the page of a server',
  'assets/comic-abc.webp': 'a preview',
  'icons/icon-512.png': 'icon',
  'service-worker.js': 'an earlier one',
  '.vite/manifest.json': '{}',
  '.built-from': 'stamp',
};

it('lists the shell with all code, and leaves out what is large, compressed, or of no use offline', () => {
  const { entries } = build(FILES);
  expect(entries.map(({ url, revision }) => [url, revision !== null])).toEqual([
    ['/assets/figtree-abc.woff2', false],
    ['/assets/main-abc.css', false],
    ['/assets/main-abc.js', false],
    ['/index.html', true],
    ['/manifest.webmanifest', true],
    ['/theme.js', true],
  ]);
});

it('is another version if any of its files differs, and only then', () => {
  const { version } = build(FILES);
  expect(build({ ...FILES, 'theme.js': 'dark' }).version).not.toBe(version);
  expect(build({ ...FILES, 'assets/new-def.js': '' }).version).not.toBe(version);
  expect(build({ ...FILES, 'service-worker.js': 'differs' }).version).toBe(version);
  expect(build(Object.fromEntries(Object.entries(FILES).reverse())).version).toBe(version);
});
