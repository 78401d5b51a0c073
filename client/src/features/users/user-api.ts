import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  User,
  type ChangePasswordRequest,
  type ForgotPasswordRequest,
  type ResetPasswordRequest,
  type UpdateUserRequest,
} from '#shared/user';
import { apiPatch, apiPatchEmpty, apiPostEmpty } from '../../lib/api-client.ts';
import { setCachedUser, userQuery } from '../sessions/session-api.ts';

const USER = '/api/user';
const VERIFY_EMAIL = `${USER}/verify-email`;

export function useUpdateUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changes: UpdateUserRequest) => apiPatch(USER, changes, User),
    onSuccess: (user) => setCachedUser(queryClient, () => user),
  });
}

/** Ends the account's other sessions. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (change: ChangePasswordRequest) => apiPatchEmpty(`${USER}/password`, change),
  });
}

/** Mails a link, if there is such an account: nobody is told whether there is. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: (request: ForgotPasswordRequest) => apiPostEmpty('/api/password/forgot', request),
  });
}

/** Ends all sessions of the link's account, and that may be the one here. */
export function useResetPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: ResetPasswordRequest) => apiPostEmpty('/api/password/reset', request),
    onSuccess: () => void queryClient.invalidateQueries(userQuery),
  });
}

/** A link works once: the token is sent once, however often a screen renders. */
export function useEmailVerification(token: string) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: [VERIFY_EMAIL, token],
    staleTime: Infinity,
    queryFn: async () => {
      try {
        await apiPostEmpty(VERIFY_EMAIL, { token });
        return 'confirmed' as const;
      } finally {
        // Also after a failure: it may have been the answer alone that was lost.
        await queryClient.invalidateQueries(userQuery);
      }
    },
  });
}

/** Mails another link. It may turn out that none is needed any more. */
export function useResendVerification() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPostEmpty(`${VERIFY_EMAIL}/resend`),
    onSettled: () => void queryClient.invalidateQueries(userQuery),
  });
}
