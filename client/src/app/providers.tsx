import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Component, useEffect, type ReactNode } from 'react';
import {
  followAccountOfOtherTabs,
  followEmailVerification,
  isLoggingOut,
  userQuery,
} from '../features/sessions/session-api.ts';
import { isLostSession } from '../lib/api-client.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { useThemeFollowsSystem } from '../lib/theme.ts';
import { FailureNotice } from '../ui/error-notice.tsx';
import { followFocus } from '../ui/focus.ts';
import { Toaster } from '../ui/toaster.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { ConfirmProvider } from '../ui/use-confirm.tsx';
import { leaveForSignIn } from './redirect-to-sign-in.ts';

/** The one place where a lost session is noticed, whichever call found it. */
const queryClient: QueryClient = createQueryClient((error, meta) => {
  if (isLostSession(error) && !isLoggingOut(queryClient)) leaveForSignIn(meta?.lostSessionNotice);
});
void queryClient.prefetchQuery(userQuery);

export function Providers({ children }: { children: ReactNode }) {
  useThemeFollowsSystem();
  useEffect(followFocus, []);
  useEffect(() => followAccountOfOtherTabs(queryClient), []);
  useEffect(() => followEmailVerification(queryClient), []);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ConfirmProvider>
          <ErrorBoundary>{children}</ErrorBoundary>
        </ConfirmProvider>
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>
  );
}

/** Stands in when a screen breaks, e.g. because a part of the app could not be fetched. */
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
        <FailureNotice onRetry={() => window.location.reload()}>
          Something went wrong on this screen. Your memories are safe. Reloading usually helps.
        </FailureNotice>
      </main>
    );
  }
}
