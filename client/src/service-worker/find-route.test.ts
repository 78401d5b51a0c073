import { expect, it } from 'vitest';
import { paths } from '#shared/api/page-paths';
import { findRoute } from './find-route.ts';

const origin = 'https://mems.example';
const rootFiles = new Set(['/theme.js', '/favicon.svg']);
const route = (path: string, mode = 'navigate', method = 'GET') =>
  findRoute({ method, mode, url: new URL(path, origin).href }, { origin, rootFiles });

it.each([...Object.values(paths).map((path) => path.replace(':bookId', '7')), '/gallery?q=lake'])(
  'the page %s',
  (path) => expect(route(path)).toBe('page'),
);

it('scripts and styles of any version, and files without a hash', () => {
  expect(route('/assets/main-abc.js', 'cors')).toBe('asset');
  expect(route('/theme.js', 'no-cors')).toBe('root-file');
});

it('a share, but no other request to its path', () => {
  expect(route('/share-target', 'navigate', 'POST')).toBe('share-target');
  expect(route('/share-target', 'cors', 'POST')).toBeNull();
  expect(route('/share-target')).toBeNull();
});

it.each([
  ['/api/user', 'cors'],
  ['/api/login', 'navigate'],
  ['/objects/0190', 'no-cors'],
  ['/objects/0190/original', 'navigate'],
  ['/uploads/0190', 'cors'],
  ['/p/token', 'navigate'],
  ['/unsubscribe/token', 'navigate'],
  ['/dev/outbox', 'navigate'],
  ['/companion/dropbox/connect', 'navigate'],
  ['/gallery', 'cors'],
  ['/service-worker.js', 'same-origin'],
  ['https://photos.example/assets/main-abc.js', 'cors'],
])('leaves %s (%s) to the browser', (path, mode) => {
  for (const method of ['GET', 'POST', 'DELETE']) expect(route(path, mode, method)).toBeNull();
});
