import { isPagePath, SHARE_TARGET } from '#shared/api/page-paths';

/**
 * `page`: from the server, offline the stored shell. `asset`: its name has its hash, so a stored copy is as good.
 * `root-file`: from the server, offline the stored copy.
 */
type WorkerRoute = 'page' | 'asset' | 'root-file' | 'share-target';

interface WorkerRequest {
  method: string;
  url: string;
  mode: string;
}

/** Null for all that the browser requests as without a worker: the API, photos, other sites. They are never stored. */
export function findRoute(
  { method, url, mode }: WorkerRequest,
  { origin, rootFiles }: { origin: string; rootFiles: ReadonlySet<string> },
): WorkerRoute | null {
  const target = new URL(url);
  if (target.origin !== origin) return null;
  const { pathname } = target;
  if (method === 'POST' && mode === 'navigate' && pathname === SHARE_TARGET) return 'share-target';
  if (method !== 'GET') return null;
  if (mode === 'navigate') return isPagePath(pathname) ? 'page' : null;
  if (pathname.startsWith('/assets/')) return 'asset';
  return rootFiles.has(pathname) ? 'root-file' : null;
}
