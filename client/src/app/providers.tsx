import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import {
  followAccountOfOtherTabs,
  followEmailVerification,
  isLoggingOut,
  userQuery,
} from '../features/session/session-api.ts';
import { isLostSession } from '../lib/api-client.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { useThemeFollowsSystem } from '../lib/theme.ts';
import { followFocus } from '../ui/focus.ts';
import { Toaster } from '../ui/toaster.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { ConfirmProvider } from '../ui/use-confirm.tsx';
import { leaveForSignIn } from './leave-for-sign-in.ts';

const queryClient = createAppQueryClient();
void queryClient.prefetchQuery(userQuery);

export function Providers({ children }: { children: ReactNode }) {
  useThemeFollowsSystem();
  useEffect(followFocus, []);
  useEffect(() => followAccountOfOtherTabs(queryClient), []);
  useEffect(() => followEmailVerification(queryClient), []);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ConfirmProvider>{children}</ConfirmProvider>
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>
  );
}

/** The one place where a lost session is noticed, whichever call found it. */
function createAppQueryClient(): QueryClient {
  const client = createQueryClient((error, meta) => {
    if (isLostSession(error) && !isLoggingOut(client)) leaveForSignIn(meta?.lostSessionNotice);
  });
  return client;
}
