import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { UNREACHABLE } from '../lib/api/api-client.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';

const RETRY_INTERVAL_MS = 10_000;

interface UnreachableScreenProps {
  onRetry: () => void;
  isRetrying: boolean;
}

/** Shown while the server does not answer, so that the signed-in user is unknown. */
export function UnreachableScreen(props: UnreachableScreenProps) {
  const retry = useEffectEvent(props.onRetry);
  useEffect(() => {
    const listeners = new AbortController();
    const retryIfVisible = () => document.hidden || retry();
    // The browser reports when the network is back, but not when the server is.
    const timer = setInterval(retryIfVisible, RETRY_INTERVAL_MS);
    window.addEventListener('online', retryIfVisible, { signal: listeners.signal });
    document.addEventListener('visibilitychange', retryIfVisible, { signal: listeners.signal });
    return () => {
      clearInterval(timer);
      listeners.abort();
    };
  }, []);
  const notice = <Notice {...props} />;
  // Without a service worker the screen's code could not be loaded.
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return notice;
  return (
    <Suspense fallback={null}>
      <OfflineScreen {...props} />
    </Suspense>
  );
}

const OfflineScreen = lazy(async () => {
  const screen = await import('./offline-screen.tsx').catch(() => null);
  return { default: screen?.OfflineScreen ?? Notice };
});

function Notice({ onRetry, isRetrying }: UnreachableScreenProps) {
  return (
    <main className="mx-auto max-w-xl px-5 py-32">
      <h1 className="sr-only">Mems Are Forever</h1>
      <ErrorNotice onRetry={onRetry} isRetrying={isRetrying}>
        {UNREACHABLE}
      </ErrorNotice>
    </main>
  );
}
