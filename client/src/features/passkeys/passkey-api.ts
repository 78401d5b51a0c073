import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Passkey, PasskeyList, type PasskeyRegistration } from '#shared/accounts/passkey';
import { apiDelete, apiGet, apiPatch, apiPost, ignoreNotFound } from '../../lib/api/api-client.ts';

const PASSKEYS = '/api/user/passkeys';

const passkeysQuery = queryOptions({
  queryKey: [PASSKEYS],
  queryFn: ({ signal }) => apiGet(PASSKEYS, PasskeyList, signal),
});

export function usePasskeys() {
  return useQuery(passkeysQuery);
}

export function useAddPasskey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (registration: PasskeyRegistration) => apiPost(PASSKEYS, registration, Passkey),
    onSettled: () => queryClient.invalidateQueries(passkeysQuery),
  });
}

export function useRenamePasskey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      apiPatch(`${PASSKEYS}/${id}`, { name }, Passkey),
    onSettled: () => queryClient.invalidateQueries(passkeysQuery),
  });
}

export function useRemovePasskey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${PASSKEYS}/${id}`).catch(ignoreNotFound),
    onSettled: () => queryClient.invalidateQueries(passkeysQuery),
  });
}
