import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ConnectedIdentity,
  ConnectedIdentityList,
  OidcStart,
  PendingOidcIdentity,
} from '#shared/accounts/oidc';
import { apiDelete, apiGet, apiPost, ignoreNotFound } from '../../lib/api/api-client.ts';
import { useAppConfig } from '../app-config/app-config-api.ts';

const IDENTITIES = '/api/oidc/identities';

/** Null without a provider. */
export function useOidcName(): string | null {
  return useAppConfig().data?.oidcName ?? null;
}

/** Leaves the app for the provider. */
export function useStartOidc() {
  return useMutation({
    mutationFn: () => apiPost('/api/oidc/start', {}, OidcStart),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}

/** The identity that this browser came back with. */
export function usePendingIdentity() {
  return useQuery({
    queryKey: ['/api/oidc/pending'],
    queryFn: ({ signal }) => apiGet('/api/oidc/pending', PendingOidcIdentity, signal),
    gcTime: 0,
  });
}

const identitiesQuery = queryOptions({
  queryKey: [IDENTITIES],
  queryFn: ({ signal }) => apiGet(IDENTITIES, ConnectedIdentityList, signal),
});

export function useConnectedIdentities() {
  return useQuery(identitiesQuery);
}

/** Connects the pending identity with the signed-in account. */
export function useConnectIdentity() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPost(IDENTITIES, {}, ConnectedIdentity),
    onSuccess: () => queryClient.invalidateQueries(identitiesQuery),
  });
}

export function useDisconnectIdentity() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${IDENTITIES}/${id}`).catch(ignoreNotFound),
    onSuccess: () => queryClient.invalidateQueries(identitiesQuery),
  });
}
