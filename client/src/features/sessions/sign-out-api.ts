import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeleteAccountRequest } from '#shared/accounts/user';
import { apiDelete, apiPostEmpty, isLostSession } from '../../lib/api/api-client.ts';
import { paths } from '../../lib/routing/paths.ts';
import { userQuery } from '../users/current-user.ts';
import { discardUnsaved, logoutKey, notifyOtherTabs, removeUserData } from './session-api.ts';

/** @param onSignedOut leaves the signed-in pages before their data is removed */
export function useLogout(isEverywhere: boolean, onSignedOut: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: logoutKey,
    mutationFn: () => apiPostEmpty(isEverywhere ? '/api/logout/all' : '/api/logout'),
    onSuccess: async () => {
      await discardUnsaved(queryClient);
      onSignedOut();
      await queryClient.cancelQueries();
      queryClient.setQueryData(userQuery.queryKey, null);
      notifyOtherTabs(null);
      await removeUserData(queryClient);
    },
    // The session had already ended.
    onError: (error) => {
      if (isLostSession(error)) void queryClient.invalidateQueries(userQuery);
    },
  });
}

/** Puts the account to sleep, which ends this session. Succeeds by leaving the page. */
export function useRequestDeletion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: logoutKey,
    mutationFn: async (request: DeleteAccountRequest) => {
      await apiDelete('/api/user', request);
      await discardUnsaved(queryClient);
      notifyOtherTabs(null);
      // A full page load removes the cached data.
      window.location.replace(`${paths.auth}?ended=asleep`);
      await new Promise(() => undefined);
    },
  });
}
