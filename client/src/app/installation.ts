import { hashKey, type QueryClient } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import type { User } from '#shared/accounts/user';
import { listReceived, setReceiver } from '../features/share-target/received-photos.ts';
import { userQuery } from '../features/users/current-user.ts';
import { paths } from '../lib/routing/paths.ts';
import { showToast } from '../ui/toasts/toast-store.ts';

const WORKER = '/service-worker.js';
/** Browsers look for a new version on navigations only, and a page may stay open for days. */
const UPDATE_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Registers the service worker for signed-in users, and where the app is installed: visitors of the landing page load
 * no more than this. @returns the cleanup
 */
export function installApp(client: QueryClient): () => void {
  let isRegistered = false;
  let receiver: string | null | undefined;
  const follow = (user: User | null | undefined) => {
    const isInstalled = window.matchMedia('(display-mode: standalone)').matches;
    if (!isRegistered && (user || isInstalled)) {
      isRegistered = true;
      register().catch(() => undefined);
    }
    // Undefined: offline, which does not end a session.
    if (user === undefined || receiver === (user?.id ?? null)) return;
    receiver = user?.id ?? null;
    setReceiver(receiver)
      .then(() => user && takeReceived(client, user))
      .catch(() => undefined);
  };
  const read = () => follow(client.getQueryData(userQuery.queryKey));
  read();
  const hash = hashKey(userQuery.queryKey);
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === hash) read();
  });
}

async function register(): Promise<void> {
  await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' });
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return;
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

/** Of what the person accepted while offline, the upload begins on any page. */
async function takeReceived(client: QueryClient, { id }: User): Promise<void> {
  // The page for many photos does all this itself.
  if (window.location.pathname === paths.addMany) return;
  const received = await listReceived(id);
  const accepted = received.filter(({ isAccepted, isAlbumFull }) => isAccepted && !isAlbumFull);
  if (accepted.length > 0) {
    const [{ getBulkUploader }, { uploadReceived }] = await Promise.all([
      import('../features/bulk-upload/queue/bulk-uploader.ts'),
      import('../features/bulk-upload/file-input/received-uploads.ts'),
    ]);
    await uploadReceived(await getBulkUploader(id, client), accepted);
  }
  announceReceived({ accepted: accepted.length, undecided: received.length - accepted.length });
}

function announceReceived({ accepted, undecided }: { accepted: number; undecided: number }): void {
  const count = undecided || accepted;
  if (count === 0) return;
  const isOne = count === 1;
  const photos = isOne ? 'A shared photo' : `${count} shared photos`;
  const isWaiting = undecided > 0;
  showToast({
    title: `${photos} ${isWaiting ? (isOne ? 'waits' : 'wait') : isOne ? 'is being added' : 'are being added'}`,
    subject: 'received-photos',
    action: { name: isOne ? 'Show it' : 'Show them', onPress: () => navigate(paths.addMany) },
  });
}
