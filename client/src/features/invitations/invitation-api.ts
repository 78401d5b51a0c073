import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  CreatedInvitation,
  InvitationList,
  InvitationPreview,
  type BecomeAdministratorRequest,
  type CreateInvitationRequest,
} from '#shared/accounts/invitation';
import { User } from '#shared/accounts/user';
import { apiDelete, apiGet, apiPost, ignoreNotFound } from '../../lib/api/api-client.ts';
import { setCachedUser } from '../users/current-user.ts';

const INVITATIONS = '/api/admin/invitations';

/** For the person who opens the link. Fails with 404 if the invitation was used, revoked or has expired. */
export function useInvitationPreview(token: string) {
  return useQuery({
    queryKey: ['/api/invitations', token],
    queryFn: ({ signal }) =>
      apiGet(`/api/invitations/${encodeURIComponent(token)}`, InvitationPreview, signal),
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

const invitationsQuery = queryOptions({
  queryKey: [INVITATIONS],
  queryFn: ({ signal }) => apiGet(INVITATIONS, InvitationList, signal),
});

/** The open ones, for administrators. */
export function useInvitations() {
  return useQuery(invitationsQuery);
}

export function useCreateInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CreateInvitationRequest) => apiPost(INVITATIONS, request, CreatedInvitation),
    // Also on error: only the response may have been lost. Not awaited, so that the link is shown at once.
    onSettled: () => void queryClient.invalidateQueries(invitationsQuery),
  });
}

export function useRevokeInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${INVITATIONS}/${id}`).catch(ignoreNotFound),
    onSuccess: (_nothing, id) => {
      queryClient.setQueryData(invitationsQuery.queryKey, (invitations) =>
        invitations?.filter((invitation) => invitation.id !== id),
      );
      void queryClient.invalidateQueries(invitationsQuery);
    },
  });
}
