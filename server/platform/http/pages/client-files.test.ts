import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paths } from '#shared/api/page-paths';
import { clientFiles } from './client-files.ts';

const SCRIPT = 'export const paws = 4;\n'.repeat(100);
const folder = mkdtempSync(join(tmpdir(), 'mems-client-files-'));
let origin = '';
let stop = () => {};

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/app.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/app.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/plain.css'), 'p { color: red }');
  writeFileSync(join(folder, 'service-worker.js'), 'worker');
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
  writeFileSync(
    join(folder, 'index.html'),
    '<html><head><script type="module" src="/assets/app.js"></script></head>',
  );
  mkdirSync(join(folder, '.vite'));
  writeFileSync(
    join(folder, '.vite/manifest.json'),
    JSON.stringify({
      'src/pages/album/gallery-page.tsx': { file: 'assets/gallery.js', imports: ['_album.js'] },
      'src/first-tiles.ts': { file: 'assets/first-tiles.js' },
      '_album.js': { file: 'assets/album.js', css: ['assets/album.css'] },
    }),
  );
  const server = express().use(clientFiles(folder, 'mems.sid')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => server.close();
});
afterAll(() => {
  stop();
  rmSync(folder, { recursive: true });
});

const get = (path: string, encoding: string) =>
  fetch(`${origin}${path}`, { headers: { 'Accept-Encoding': encoding } });

it('sends the compressed copy of a script to browsers that accept Brotli', async () => {
  const response = await get('/assets/app.js', 'gzip, br');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'content-length': String(brotliCompressSync(SCRIPT).length),
  });
  expect(await response.text()).toBe(SCRIPT);
});

it('sends the script itself to others, and files without a copy to all', async () => {
  const response = await get('/assets/app.js', 'gzip');
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('vary')).toBe('Accept-Encoding');
  expect(await response.text()).toBe(SCRIPT);
  const style = await get('/assets/plain.css', 'br');
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(await style.text()).toBe('p { color: red }');
});

it('sends the service worker without a time to live, and the manifest with its type', async () => {
  const worker = await get('/service-worker.js', 'gzip');
  expect(Object.fromEntries(worker.headers)).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
  });
  const manifest = await get('/manifest.webmanifest', 'gzip');
  expect(manifest.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
});

it('has the plain shell for the service worker, which says nothing of a session', async () => {
  const shell = await (await fetch(`${origin}/index.html`)).text();
  expect(shell).toContain('src="/assets/app.js"');
  expect(shell).not.toContain('data-signed-out');
});

it('links pages to their code, and to the data that they need with or without a session', async () => {
  const links = async (path: string, cookie: string) => {
    const html = await (await fetch(`${origin}${path}`, { headers: { cookie } })).text();
    return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  };
  const code = ['/assets/gallery.js', '/assets/album.js', '/assets/album.css'];
  const data = ['/api/user', '/api/memories?limit=100', '/api/pets?limit=100'];
  expect(await links('/gallery', '')).toEqual(code);
  expect(await links('/gallery', 'mems.sid=1')).toEqual([...data, ...code]);
  expect(await links('/gallery?view=list', 'mems.sid=1')).toEqual([...data, ...code]);
  expect(await links('/gallery?q=lake', 'mems.sid=1')).toEqual(['/api/user', ...code]);
  expect(await links('/account', 'mems.sid=1')).toEqual([]);
  for (const path of ['/', '/auth', '/auth?invite=abc'])
    expect(await links(path, '')).toEqual(['/api/config']);
  expect(await links('/auth', 'mems.sid=1')).toEqual(['/api/user']);
  // No URL without a host.
  expect((await fetch(`${origin}//`)).status).toBe(200);
});

it.each([
  ...Object.values(paths).map((path) => path.replace(':bookId', '7')),
  ...['/gallery/', '/Gallery', '/gallery?q=lake', '/auth?invite=abc'],
])('%s is a page', async (path) => {
  const { status, headers } = await fetch(`${origin}${path}`);
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
});

it.each(['/nowhere', '/gallery/7', '/flipbook', '/flipbook/7/8', '/.hidden/x', '/auth/x?y=1'])(
  '%s is the not-found page',
  async (path) => {
    const response = await fetch(`${origin}${path}`);
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'no-cache']);
    expect(await response.text()).toContain('src="/assets/app.js"');
  },
);

it.each([
  '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
  '/.well-known',
  '/.well-known/security.txt',
  '/robots.txt',
  '/api/nowhere',
])('%s is no page', async (path) => {
  const response = await fetch(`${origin}${path}`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain('/assets/app.js');
});

it('says in the page that there is no session cookie', async () => {
  const html = async (cookie: string) => (await fetch(`${origin}/`, { headers: { cookie } })).text();
  expect(await html('')).toContain('<html data-signed-out>');
  expect(await html('mems.sid=1')).toContain('<html>');
});

it('runs the script for the first tiles before the app, if there is a session', async () => {
  const scripts = async (path: string, cookie: string) => {
    const html = await (await fetch(`${origin}${path}`, { headers: { cookie } })).text();
    return [...html.matchAll(/src="([^"]*)"/g)].map(([, src]) => src);
  };
  expect(await scripts('/gallery', 'mems.sid=1')).toEqual(['/assets/first-tiles.js', '/assets/app.js']);
  expect(await scripts('/', 'mems.sid=1')).toEqual(['/assets/first-tiles.js', '/assets/app.js']);
  for (const path of ['/gallery?q=lake', '/timeline', '/pets', '/account'])
    expect(await scripts(path, 'mems.sid=1')).toEqual(['/assets/app.js']);
  expect(await scripts('/', '')).toEqual(['/assets/app.js']);
});
