import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  PendingEmailChange,
  ResetPasswordPreview,
  ResetPasswordResponse,
  SecureAccountResponse,
  UndoEmailChangeResponse,
  User,
  type ChangeEmailRequest,
  type ChangePasswordRequest,
  type ForgotPasswordRequest,
  type ResetPasswordRequest,
  type UpdateUserRequest,
  type VerifyEmailRequest,
} from '#shared/accounts/user';
import {
  apiDelete,
  apiGet,
  apiPatch,
  apiPatchEmpty,
  apiPost,
  apiPostEmpty,
} from '../../lib/api/api-client.ts';
import { setCachedUser, userQuery } from './current-user.ts';

const USER = '/api/user';
const VERIFY_EMAIL = `${USER}/verify-email`;
const PENDING_EMAIL = `${USER}/email/change`;

export function useUpdateUser() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changes: UpdateUserRequest) => apiPatch(USER, changes, User),
    onSuccess: (user) => setCachedUser(queryClient, () => user),
  });
}

/** Ends the user's other sessions. */
export function useChangePassword() {
  return useMutation({
    mutationFn: (change: ChangePasswordRequest) => apiPatchEmpty(`${USER}/password`, change),
  });
}

/** The response does not reveal whether an account with this address exists. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: (request: ForgotPasswordRequest) => apiPostEmpty('/api/password/forgot', request),
  });
}

/** The address of the link's account. Undefined for an invalid link, which the reset reports. */
export function useResetPasswordEmail(token: string): string | undefined {
  const path = '/api/password/reset/preview';
  const { data } = useQuery({
    queryKey: [path, token],
    queryFn: () => apiPost(path, { token }, ResetPasswordPreview),
    staleTime: Infinity,
    enabled: token !== '',
  });
  return data?.email;
}

/** Ends all sessions of the link's user, perhaps including this one. */
export function useResetPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: ResetPasswordRequest) =>
      apiPost('/api/password/reset', request, ResetPasswordResponse),
    onSuccess: () => void queryClient.invalidateQueries(userQuery),
  });
}

const pendingEmailQuery = queryOptions({
  queryKey: [PENDING_EMAIL],
  queryFn: ({ signal }) => apiGet(PENDING_EMAIL, PendingEmailChange, signal),
});

/** A new address that is not verified yet. */
export function usePendingEmail() {
  return useQuery(pendingEmailQuery);
}

/** Sends a link to the new address. */
export function useChangeEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: ChangeEmailRequest) => apiPatchEmpty(`${USER}/email`, request),
    onSuccess: () => queryClient.invalidateQueries(pendingEmailQuery),
  });
}

export function useCancelEmailChange() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiDelete(PENDING_EMAIL),
    onSuccess: () => queryClient.invalidateQueries(pendingEmailQuery),
  });
}

/** Ends all sessions of the link's user, perhaps including this one. */
export function useUndoEmailChange() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => apiPost(`${USER}/email/undo`, { token }, UndoEmailChangeResponse),
    onSuccess: () => void queryClient.invalidateQueries(userQuery),
  });
}

/** Ends all sessions of the link's user, perhaps including this one. */
export function useSecureAccount() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => apiPost(`${USER}/secure`, { token }, SecureAccountResponse),
    onSuccess: () => void queryClient.invalidateQueries(userQuery),
  });
}

/** Changes the address to the new one. */
export function useConfirmEmailChange() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => apiPostEmpty(`${USER}/email/confirm`, { token }),
    // Also on error: only the response may have been lost.
    onSettled: () => queryClient.invalidateQueries(userQuery),
  });
}

/** A query, so that repeated renders send the single-use token once. */
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
        // Also on error: only the response may have been lost.
        await queryClient.invalidateQueries(userQuery);
      }
    },
  });
}

/** Without a session of the account. */
export function useVerifyEmailWithPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: VerifyEmailRequest) => apiPostEmpty(VERIFY_EMAIL, request),
    onSettled: () => void queryClient.invalidateQueries(userQuery),
  });
}

/** Deletes the account of a confirmation link. */
export function useDisown() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => apiPostEmpty(`${USER}/disown`, { token }),
    onSuccess: () => void queryClient.invalidateQueries(userQuery),
  });
}

/** Refetches the user: the address may have been confirmed elsewhere. */
export function useResendVerification() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPostEmpty(`${VERIFY_EMAIL}/resend`),
    onSettled: () => void queryClient.invalidateQueries(userQuery),
  });
}
