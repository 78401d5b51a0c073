import { showToast } from '../ui/toasts/toast-store.ts';

/** Browsers look for a new version on navigations only, and a page may stay open for days. */
const UPDATE_INTERVAL_MS = 60 * 60 * 1000;

/** Looks for new versions of the app, and offers to reload. */
export function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const announce = () => announceUpdate(registration).catch(() => undefined);
  if (registration.waiting) void announce();
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') void announce();
    });
  });
  let updatedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - updatedAt < UPDATE_INTERVAL_MS) return;
    updatedAt = Date.now();
    registration.update().catch(() => undefined);
  });
}

/** The new version waits until all pages of the old one are closed, or the person reloads one of them. */
async function announceUpdate(registration: ServiceWorkerRegistration): Promise<void> {
  if (!registration.active) return;
  const html = await (await fetch('/index.html', { cache: 'no-store' })).text();
  if (hasAllAssets(document, html)) return;
  showToast({
    title: 'A new version is ready',
    subject: 'new-version',
    action: { name: 'Reload', onPress: () => activateAndReload(registration) },
  });
}

/** Whether the page is of the same version as the server's: it was loaded after the update. */
export function hasAllAssets(page: ParentNode, indexHtml: string): boolean {
  const assets = [...indexHtml.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
  return assets.every((path) => page.querySelector(`[src="${path}"], [href="${path}"]`));
}

function activateAndReload({ waiting }: ServiceWorkerRegistration): void {
  // Another page may have activated it.
  if (!waiting) return window.location.reload();
  waiting.addEventListener('statechange', () => {
    if (waiting.state === 'activated') window.location.reload();
  });
  waiting.postMessage('skip-waiting');
}
