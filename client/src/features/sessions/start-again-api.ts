import { useQuery } from '@tanstack/react-query';
import { StartAgainPreview, User, type StartAgainRequest } from '#shared/accounts/user';
import { apiPost } from '../../lib/api/api-client.ts';
import { useSignIn } from './session-api.ts';

/** Registers by the link that was emailed to the address. */
export function useStartAgain() {
  return useSignIn((request: StartAgainRequest) => apiPost('/api/register/again', request, User));
}

/** Counts the photos and pets of the link's earlier account. Fails with 422 for an invalid link. */
export function useStartAgainPreview(token: string) {
  return useQuery({
    queryKey: ['/api/register/again/preview', token],
    queryFn: () => apiPost('/api/register/again/preview', { token }, StartAgainPreview),
    staleTime: Infinity,
    enabled: token !== '',
  });
}
