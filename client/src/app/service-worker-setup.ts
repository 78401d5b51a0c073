import { hashKey, type QueryClient } from '@tanstack/react-query';
import type { User } from '#shared/accounts/user';
import { setReceiver } from '../features/share-target/received-photos.ts';
import { userQuery } from '../features/users/current-user.ts';
import { afterFirstPhotos } from '../lib/routing/load-later.tsx';
import { watchForUpdates } from '../service-worker/app-update.ts';
import { uploadReceivedPhotos } from './upload-received-photos.ts';

const WORKER = '/service-worker.js';

/**
 * Registers the service worker for signed-in users, and where the app is installed: visitors of the landing page load
 * no more than this. @returns the cleanup
 */
export function setUpServiceWorker(client: QueryClient): () => void {
  let isRegistered = false;
  let receiver: string | null | undefined;
  const follow = (user: User | null | undefined) => {
    const isInstalled = window.matchMedia('(display-mode: standalone)').matches;
    if (!isRegistered && (user || isInstalled)) {
      isRegistered = true;
      // Its files would compete with the first photos.
      afterFirstPhotos(register);
    }
    // Undefined: offline, which does not end a session.
    if (user === undefined || receiver === (user?.id ?? null)) return;
    receiver = user?.id ?? null;
    setReceiver(receiver)
      .then(() => user && uploadReceivedPhotos(client, user))
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
  if (registration) watchForUpdates(registration);
}
