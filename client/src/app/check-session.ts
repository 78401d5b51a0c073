import type { QueryClient } from '@tanstack/react-query';
import { isLoggingOut, removeUserData } from '../features/sessions/session-api.ts';
import { userQuery } from '../features/users/current-user.ts';
import { paths } from '../lib/routing/paths.ts';
import { isRedirecting, redirectToSignIn } from './redirect-to-sign-in.ts';

/**
 * Asks whose session this is. If it has ended, on another device for example, the page drops all that was fetched and leaves
 * for the sign-in page. A request that fails says nothing about the session: the page stays.
 */
export async function checkSession(queryClient: QueryClient): Promise<void> {
  const { queryKey } = userQuery;
  const before = queryClient.getQueryData(queryKey);
  if (!before || isLoggingOut(queryClient)) return;
  // Also where no component shows the user.
  await queryClient.invalidateQueries({ queryKey, refetchType: 'all' });
  const user = queryClient.getQueryData(queryKey);
  if (user?.id === before.id || isLoggingOut(queryClient)) return;
  // The pages of users redirect once they are rendered without one; home would show the landing page.
  if (user === null && window.location.pathname === paths.home) redirectToSignIn();
  await removeUserData(queryClient);
  // The session is another user's: their data must not mix.
  if (user) window.location.reload();
}

/** The back/forward cache restores a page as it was, perhaps from before the session ended. @returns the cleanup */
export function checkRestoredPages(queryClient: QueryClient): () => void {
  const check = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    // It had noticed the end, and was left for the sign-in page.
    if (isRedirecting()) window.location.reload();
    else void checkSession(queryClient);
  };
  window.addEventListener('pageshow', check);
  return () => window.removeEventListener('pageshow', check);
}
