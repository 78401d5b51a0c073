import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { UserSession } from '#shared/accounts/session';
import { apiDelete, apiGet, ignoreNotFound } from '../../lib/api/api-client.ts';
import { formatAge, formatShortDate } from '../../lib/dates.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { LogoutButton } from './logout-button.tsx';

const sessionsQuery = queryOptions({
  queryKey: ['/api/sessions'],
  queryFn: ({ signal }) => apiGet('/api/sessions', z.array(UserSession), signal),
});

/** The devices where the user is signed in, with this one first. */
export function SessionList() {
  const { data: sessions, isPending, isFetching, refetch } = useQuery(sessionsQuery);
  const endOthers = useEndSessions((_id: null) => apiDelete('/api/sessions'));
  const signOutOthers = () =>
    endOthers.mutate(null, {
      onSuccess: () => showSuccess('Signed out on all other devices'),
      onError: (error) => showError(error, 'Not signed out', CHECK_CONNECTION),
    });
  if (!sessions) {
    return isPending ? (
      <ListSkeleton label="Loading your devices" />
    ) : (
      <LoadError what="Your devices" onRetry={refetch} isRetrying={isFetching} />
    );
  }
  const sorted = [...sessions].sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <>
      <ul className="-mt-4 divide-y divide-hairline">
        {sorted.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <div className="mt-4 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        {sessions.length > 1 && (
          <Button
            variant="secondary"
            onClick={signOutOthers}
            isPending={endOthers.isPending}
            pendingText="Signing out..."
          >
            Sign out other devices
          </Button>
        )}
        <LogoutButton isEverywhere />
      </div>
    </>
  );
}

function SessionRow({ session }: { session: UserSession }) {
  const { id, device, network, createdAt, lastSeenAt, isCurrent } = session;
  const end = useEndSessions((id: string) => apiDelete(`/api/sessions/${id}`).catch(ignoreNotFound));
  const signOut = () =>
    end.mutate(id, {
      onSuccess: () => showSuccess('Signed out', device),
      onError: (error) => showError(error, 'Not signed out', CHECK_CONNECTION),
    });
  return (
    <li tabIndex={-1} className="flex items-center justify-between gap-4 py-4 outline-none">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {device}
          {isCurrent && <Badge tone="sage">This device</Badge>}
        </p>
        <p className="mt-1 text-small wrap-anywhere text-muted">
          {isCurrent ? 'In use now' : `Last used ${formatAge(lastSeenAt).toLowerCase()}`}
          {network && ` · ${network}`}
          {' · '}
          <span className="whitespace-nowrap">
            Signed in <time dateTime={createdAt}>{formatShortDate(createdAt)}</time>
          </span>
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="quiet"
          size="small"
          className="-mr-2"
          aria-label={`Sign out ${device}`}
          onClick={signOut}
          isPending={end.isPending}
          pendingText="Signing out..."
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

function useEndSessions<Target>(end: (target: Target) => Promise<void>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSettled: () => queryClient.invalidateQueries(sessionsQuery),
  });
}
