import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RecoveryCodes, SecondFactor, TotpSetup, type CodeRequest } from '#shared/accounts/second-factor';
import { apiDelete, apiGet, apiPost } from '../../lib/api/api-client.ts';

const SECOND_FACTOR = '/api/user/second-factor';
const TOTP = '/api/user/totp';

const secondFactorQuery = queryOptions({
  queryKey: [SECOND_FACTOR],
  queryFn: ({ signal }) => apiGet(SECOND_FACTOR, SecondFactor, signal),
});

export function useSecondFactor() {
  return useQuery(secondFactorQuery);
}

export function startTotpSetup(): Promise<TotpSetup> {
  return apiPost(TOTP, {}, TotpSetup);
}

/** Also refetches after an error: only the response may have been lost. */
function useSecondFactorMutation<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => queryClient.invalidateQueries(secondFactorQuery) });
}

export function useConfirmTotp() {
  return useSecondFactorMutation((request: CodeRequest) =>
    apiPost(`${TOTP}/confirm`, request, RecoveryCodes),
  );
}

export function useRenewRecoveryCodes() {
  return useSecondFactorMutation(() => apiPost('/api/user/recovery-codes', {}, RecoveryCodes));
}

export function useTurnTotpOff() {
  return useSecondFactorMutation(() => apiDelete(TOTP));
}
