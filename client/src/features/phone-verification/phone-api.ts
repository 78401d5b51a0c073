import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { SendVerificationAnswer, type SendVerificationRequest, type VerifyPhoneRequest } from '#shared/phone';
import { User } from '#shared/user';
import { apiDelete, apiPost } from '../../lib/api-client.ts';
import { userQuery } from '../session/session-api.ts';

export function useSendCode() {
  return useMutation({
    mutationFn: (request: SendVerificationRequest) =>
      apiPost('/api/sms/send-verification', request, SendVerificationAnswer),
  });
}

export function useVerifyPhone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: VerifyPhoneRequest) => apiPost('/api/sms/verify', request, User),
    onSuccess: (user) => setUser(queryClient, () => user),
  });
}

export function useRemovePhone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiDelete('/api/sms/number'),
    onSuccess: () => setUser(queryClient, (user) => ({ ...user, phoneNumber: null, phoneVerified: false })),
  });
}

/** What an answer says of the user is newer than any that is still on its way. */
async function setUser(queryClient: QueryClient, change: (user: User) => User): Promise<void> {
  await queryClient.cancelQueries({ queryKey: userQuery.queryKey });
  queryClient.setQueryData(userQuery.queryKey, (user) => user && change(user));
}
