import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { User } from '#shared/accounts/user';
import { AllowedSenders } from '#shared/transfers/inbound-email';
import { apiGet, apiPost, apiPut } from '../../lib/api/api-client.ts';
import { setCachedUser, userQuery } from '../users/current-user.ts';

const ALLOWED_SENDERS = '/api/user/allowed-senders';

const allowedSendersQuery = queryOptions({
  queryKey: [ALLOWED_SENDERS],
  queryFn: ({ signal }) => apiGet(ALLOWED_SENDERS, AllowedSenders, signal),
  select: ({ addresses }) => addresses,
});

export function useAllowedSenders() {
  return useQuery(allowedSendersQuery);
}

export function useAllowSender() {
  return useChangeAllowedSenders((addresses, added) => [...addresses, added]);
}

export function useDisallowSender() {
  return useChangeAllowedSenders((addresses, removed) => addresses.filter((each) => each !== removed));
}

function useChangeAllowedSenders(change: (addresses: string[], address: string) => string[]) {
  const queryClient = useQueryClient();
  return useMutation({
    scope: { id: 'allowed-senders' },
    mutationFn: async (address: string) => {
      // PUT replaces the list: start from the current one, which another device may have changed.
      const { addresses } = await apiGet(ALLOWED_SENDERS, AllowedSenders);
      return apiPut(ALLOWED_SENDERS, { addresses: change(addresses, address) }, AllowedSenders);
    },
    onSuccess: async (senders) => {
      await queryClient.cancelQueries({ queryKey: allowedSendersQuery.queryKey });
      queryClient.setQueryData(allowedSendersQuery.queryKey, senders);
    },
    onError: () => void queryClient.invalidateQueries(allowedSendersQuery),
  });
}

export function useResetInboundEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPost('/api/user/inbound-email/reset', undefined, User),
    onSuccess: (user) => setCachedUser(queryClient, () => user),
    // Only the response may have been lost.
    onError: () => void queryClient.invalidateQueries(userQuery),
  });
}
