import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { User } from '#shared/accounts/user';
import { claimDrafts } from '../drafts/draft-owner.ts';
import { ApiError, apiGet } from '../../lib/api/api-client.ts';

const FRESH_MS = 5 * 60 * 1000;

/** The signed-in user; null means signed out. */
export const userQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: ({ signal }): Promise<User | null> =>
    apiGet('/api/user', User, signal).then(
      async (user) => {
        await claimDrafts(user.id);
        return user;
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      },
    ),
  staleTime: FRESH_MS,
});

/** The page says if it was requested without a session cookie, which scripts cannot see. */
export function isKnownVisitor(): boolean {
  return document.documentElement.hasAttribute('data-signed-out');
}

export function prefetchUser(queryClient: QueryClient): void {
  if (isKnownVisitor()) queryClient.setQueryData(userQuery.queryKey, null);
  else void queryClient.prefetchQuery(userQuery);
}

export function useUser() {
  return useQuery(userQuery);
}

/** Puts a response into the cache. A pending fetch may be older or newer than it, so it is cancelled and repeated. */
export async function setCachedUser(
  queryClient: QueryClient,
  change: (user: User | null | undefined) => User | null | undefined,
): Promise<void> {
  const isFetching = queryClient.isFetching(userQuery) > 0;
  await queryClient.cancelQueries(userQuery);
  queryClient.setQueryData(userQuery.queryKey, change);
  if (isFetching) void queryClient.invalidateQueries(userQuery);
}
