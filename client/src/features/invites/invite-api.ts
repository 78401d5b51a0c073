import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  CreatedInvite,
  InviteList,
  InvitePreview,
  type BecomeAdministratorRequest,
  type CreateInviteRequest,
} from '#shared/invite';
import { User } from '#shared/user';
import { apiDelete, apiGet, apiPost, ignoreNotFound } from '../../lib/api-client.ts';
import { setCachedUser } from '../users/current-user.ts';

const INVITES = '/api/admin/invites';

/** For the person who opens the link. Fails with 404 if the invitation was used, revoked or has expired. */
export function useInvitePreview(token: string) {
  return useQuery({
    queryKey: ['/api/invites', token],
    queryFn: ({ signal }) => apiGet(`/api/invites/${encodeURIComponent(token)}`, InvitePreview, signal),
    staleTime: Infinity,
    enabled: token !== '',
  });
}

export function useBecomeAdministrator() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: BecomeAdministratorRequest) => apiPost('/api/user/administrator', request, User),
    onSuccess: (user) => setCachedUser(queryClient, () => user),
  });
}

const invitesQuery = queryOptions({
  queryKey: [INVITES],
  queryFn: ({ signal }) => apiGet(INVITES, InviteList, signal),
});

/** The open ones, for administrators. */
export function useInvites() {
  return useQuery(invitesQuery);
}

export function useCreateInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateInviteRequest) => apiPost(INVITES, request, CreatedInvite),
    // Also on error: only the response may have been lost. Not awaited, so that the link is shown at once.
    onSettled: () => void queryClient.invalidateQueries(invitesQuery),
  });
}

export function useRevokeInvite() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${INVITES}/${id}`).catch(ignoreNotFound),
    onSuccess: (_nothing, id) => {
      queryClient.setQueryData(invitesQuery.queryKey, (invites) =>
        invites?.filter((invite) => invite.id !== id),
      );
      void queryClient.invalidateQueries(invitesQuery);
    },
  });
}
