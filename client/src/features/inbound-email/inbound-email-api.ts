import { useMutation, useQueryClient } from '@tanstack/react-query';
import { User } from '#shared/user';
import { apiPost } from '../../lib/api-client.ts';
import { showUser, userQuery } from '../session/session-api.ts';

/** A new address for the account's photos; the old one is dead from then on. */
export function useResetInboundEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPost('/api/user/inbound-email/reset', undefined, User),
    onSuccess: (user) => showUser(queryClient, () => user),
    // The answer alone may have been lost.
    onError: () => void queryClient.invalidateQueries(userQuery),
  });
}
