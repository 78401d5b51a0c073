import { PrecacheController } from 'workbox-precaching/PrecacheController.js';
import { receiveShare } from '../features/share-target/receive-share.ts';
import { purgeOldReceived } from '../features/share-target/received-photos.ts';
import { findRoute } from './find-route.ts';
import type { WorkerScope } from './service-worker-types.ts';

/** Set by the build: client/build/precache.ts lists the files. */
declare const PRECACHE: { version: string; entries: { url: string; revision: string | null }[] };

const scope = self as unknown as WorkerScope;
const SHELL = '/index.html';
/** One cache per version: a page finds its own version's chunks, whichever version the worker has. */
const CACHE_PREFIX = 'app-';
const cacheName = CACHE_PREFIX + PRECACHE.version;
const GATEWAY_STATUSES = [502, 503, 504];

const precache = new PrecacheController({ cacheName });
precache.addToCacheList(PRECACHE.entries);
const rootFiles = new Set(
  PRECACHE.entries.map(({ url }) => url).filter((url) => !url.startsWith('/assets/')),
);

scope.addEventListener('install', (event) => {
  // All or nothing: without one of its files the version is not installed.
  void precache.install(event);
});

scope.addEventListener('activate', (event) => event.waitUntil(tidy()));

scope.addEventListener('message', ({ data }) => {
  if (data === 'skip-waiting') void scope.skipWaiting();
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  switch (findRoute(request, { origin: scope.location.origin, rootFiles })) {
    case 'page':
      event.respondWith(respondWithPage(request));
      event.waitUntil(tidy());
      break;
    case 'asset':
      event.respondWith(respondWithAsset(request));
      break;
    case 'root-file':
      event.respondWith(networkFirst(request, new URL(request.url).pathname));
      break;
    case 'share-target':
      event.respondWith(receiveShare(request));
      break;
    case null:
  }
});

/** The server's page links to its data, so it is faster than the shell. It is never stored: it says who is signed in. */
async function respondWithPage(request: Request): Promise<Response> {
  const response = await networkFirst(request, SHELL);
  if (!GATEWAY_STATUSES.includes(response.status)) return response;
  return (await precache.matchPrecache(SHELL)) ?? response;
}

async function respondWithAsset(request: Request): Promise<Response> {
  // Of any version that an open page may have.
  const stored = await caches.match(request, { ignoreVary: true });
  return stored ?? fetch(request);
}

async function networkFirst(request: Request, storedUrl: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const stored = await precache.matchPrecache(storedUrl);
    if (stored) return stored;
    throw error;
  }
}

async function tidy(): Promise<void> {
  await Promise.all([deleteOldVersions(), purgeOldReceived().catch(() => undefined)]);
}

/** Unless pages of them are open, whose chunks they have. */
async function deleteOldVersions(): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // A newer version that is being installed, or waits, has a cache, too.
  if (pages.length > 0 || scope.registration.installing || scope.registration.waiting) return;
  const old = (await caches.keys()).filter((name) => name.startsWith(CACHE_PREFIX) && name !== cacheName);
  await Promise.all(old.map((name) => caches.delete(name)));
}
