import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import {
  followAccountOfOtherTabs,
  isLoggingOut,
  SIGN_IN_REDIRECT,
  userQuery,
} from '../features/session/session-api.ts';
import { isLostSession } from '../lib/lost-session.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { useThemeFollowsSystem } from '../lib/theme.ts';
import { showToast } from '../ui/toast-store.ts';
import { Toaster } from '../ui/toaster.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';

const REDIRECT_DELAY_MS = 500;
const LOGGED_OUT = { title: 'Unauthorized', description: 'You are logged out. Logging in again...' };

const queryClient = createAppQueryClient();
void queryClient.prefetchQuery(userQuery);

export function Providers({ children }: { children: ReactNode }) {
  useThemeFollowsSystem();
  useEffect(() => followAccountOfOtherTabs(queryClient), []);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>{children}</TooltipProvider>
      <Toaster />
    </QueryClientProvider>
  );
}

/** The one place where a lost session becomes a notice and then the way to sign in again. */
function createAppQueryClient(): QueryClient {
  let isLeaving = false;
  const client = createQueryClient((error, meta) => {
    if (!isLostSession(error) || isLeaving || isLoggingOut(client)) return;
    isLeaving = true;
    showToast({ ...(meta?.lostSessionNotice ?? LOGGED_OUT), variant: 'destructive' });
    setTimeout(() => window.location.assign(SIGN_IN_REDIRECT), REDIRECT_DELAY_MS);
  });
  return client;
}
