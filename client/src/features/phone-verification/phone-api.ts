import { useMutation, useQueryClient } from '@tanstack/react-query';
import { User } from '#shared/accounts/user';
import {
  SendVerificationResponse,
  type SendVerificationRequest,
  type VerifyPhoneRequest,
} from '#shared/text/phone';
import { apiDelete, apiPost } from '../../lib/api/api-client.ts';
import { setCachedUser } from '../users/current-user.ts';

export function useSendCode() {
  return useMutation({
    mutationFn: (request: SendVerificationRequest) =>
      apiPost('/api/sms/send-verification', request, SendVerificationResponse),
  });
}

export function useVerifyPhone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: VerifyPhoneRequest) => apiPost('/api/sms/verify', request, User),
    onSuccess: (user) => setCachedUser(queryClient, () => user),
  });
}

export function useRemovePhone() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiDelete('/api/sms/number'),
    onSuccess: () =>
      setCachedUser(queryClient, (user) => user && { ...user, phoneNumber: null, phoneVerified: false }),
  });
}
