import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { UNREACHABLE } from '../lib/api-client.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';

interface UnreachableScreenProps {
  onRetry: () => void;
  isRetrying: boolean;
}

/** Instead of the app while nobody knows who is signed in: the server does not answer. */
export function UnreachableScreen(props: UnreachableScreenProps) {
  const retry = useEffectEvent(props.onRetry);
  useEffect(() => {
    const onOnline = () => retry();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
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
