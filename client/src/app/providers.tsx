import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Component, useEffect, useState, type ReactNode } from 'react';
import {
  eraseVendorSignInsWhenSignedOut,
  syncSessionAcrossTabs,
  watchEmailVerification,
  isLoggingOut,
} from '../features/sessions/session-api.ts';
import { prefetchUser } from '../features/users/current-user.ts';
import { isLostSession } from '../lib/api/api-client.ts';
import { loadLater } from '../lib/routing/load-later.tsx';
import { createQueryClient } from '../lib/api/query-client.ts';
import { useThemeFollowsSystem } from '../lib/browser/theme.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { trackFocus } from '../ui/focus.ts';
import { dismissToastsOnNavigation, useCurrentToast } from '../ui/toasts/toast-store.ts';
import { ConfirmProvider } from '../ui/dialogs/confirm-provider.tsx';
import { checkRestoredPages } from './check-session.ts';
import { redirectToSignIn } from './redirect-to-sign-in.ts';

const queryClient: QueryClient = createQueryClient((error, meta) => {
  if (isLostSession(error) && !isLoggingOut(queryClient)) redirectToSignIn(meta?.lostSessionNotice);
});
prefetchUser(queryClient);

const Toaster = loadLater(async () => (await import('../ui/toasts/toaster.tsx')).Toaster);

export function Providers({ children }: { children: ReactNode }) {
  useThemeFollowsSystem();
  useEffect(trackFocus, []);
  useEffect(dismissToastsOnNavigation, []);
  useEffect(() => syncSessionAcrossTabs(queryClient), []);
  useEffect(() => eraseVendorSignInsWhenSignedOut(queryClient), []);
  useEffect(() => checkRestoredPages(queryClient), []);
  useEffect(() => watchEmailVerification(queryClient), []);
  useEffect(() => setUpServiceWorkerLater(), []);
  return (
    <QueryClientProvider client={queryClient}>
      <ConfirmProvider>
        <ErrorBoundary>{children}</ErrorBoundary>
      </ConfirmProvider>
      <Toasts />
    </QueryClientProvider>
  );
}

/** After the page, with which its files would compete. @returns the cleanup */
function setUpServiceWorkerLater(): () => void {
  let cleanUp = () => {};
  // Without https there are no service workers.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return cleanUp;
  let isGone = false;
  const setUp = async () => {
    const module = await import('./service-worker-setup.ts').catch(() => null);
    if (!isGone && module) cleanUp = module.setUpServiceWorker(queryClient);
  };
  if (document.readyState === 'complete') void setUp();
  else window.addEventListener('load', () => void setUp(), { once: true });
  return () => {
    isGone = true;
    cleanUp();
  };
}

function Toasts() {
  const [isNeeded, setNeeded] = useState(false);
  const toast = useCurrentToast();
  if (toast && !isNeeded) setNeeded(true);
  // Rendered from the start: an opening dialog hides from screen readers what then has no aria-live.
  return <div aria-live="off">{isNeeded && <Toaster />}</div>;
}

/** Shown when rendering fails, e.g. because a chunk of the app could not be fetched. */
class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="mx-auto max-w-xl px-5 py-32">
        <h1 className="sr-only">Mems Are Forever</h1>
        <ErrorNotice onRetry={() => window.location.reload()}>
          Something went wrong on this screen. Your memories are safe. Reloading usually helps.
        </ErrorNotice>
      </main>
    );
  }
}
