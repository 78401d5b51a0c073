import { focusManager, hashKey, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { User, type LoginRequest, type RegisterRequest, type StartAgainRequest } from '#shared/user';
import { apiPost, apiPostEmpty, isLostSession } from '../../lib/api-client.ts';
import { discardEarlyResponse } from '../../lib/early-response.ts';
import { discardAllDrafts } from '../drafts/form-drafts.tsx';
import { eraseUploadSessions } from '../uploads/upload-session.ts';
import { setCachedUser, userQuery } from '../users/current-user.ts';

/** GET /api/login redirects to the sign-in page. */
export const SIGN_IN_REDIRECT = '/api/login';

const logoutKey = ['logout'];
const SESSION_CHANNEL = 'account';

export function useLogin() {
  return useSignIn((request: LoginRequest) => apiPost('/api/login', request, User));
}

export function useRegister() {
  return useSignIn((request: RegisterRequest) => apiPost('/api/register', request, User));
}

/** Registers by the link that was emailed to the address. */
export function useStartAgain() {
  return useSignIn((request: StartAgainRequest) => apiPost('/api/register/again', request, User));
}

/** @param onSignedOut leaves the signed-in pages before their data is removed */
export function useLogout(isEverywhere: boolean, onSignedOut: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: logoutKey,
    mutationFn: () => apiPostEmpty(isEverywhere ? '/api/logout/all' : '/api/logout'),
    onSuccess: async () => {
      onSignedOut();
      discardAllDrafts();
      await queryClient.cancelQueries();
      queryClient.setQueryData(userQuery.queryKey, null);
      notifyOtherTabs(null);
      // React Query notifies in the next task: a page still mounted would refetch the removed data.
      await new Promise((resolve) => setTimeout(resolve));
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] });
    },
    // The session had already ended.
    onError: (error) => {
      if (isLostSession(error)) void queryClient.invalidateQueries(userQuery);
    },
  });
}

/** A 401 is expected during logout. */
export function isLoggingOut(queryClient: QueryClient): boolean {
  return queryClient.isMutating({ mutationKey: logoutKey }) > 0;
}

/** Reloads when another tab signs in or out: a stale page would add to another user's album. @returns the cleanup */
export function syncSessionAcrossTabs(queryClient: QueryClient): () => void {
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
    const currentId = queryClient.getQueryData(userQuery.queryKey)?.id ?? null;
    if (currentId === userId) return;
    if (currentId !== null) discardAllDrafts();
    window.location.assign('/');
  };
  return () => channel.close();
}

/** Also after the session ended elsewhere: another person may be next at this browser. @returns the cleanup */
export function eraseUploadsWhenSignedOut(queryClient: QueryClient): () => void {
  const hash = hashKey(userQuery.queryKey);
  const eraseIfSignedOut = () => {
    if (queryClient.getQueryData(userQuery.queryKey) === null) void eraseUploadSessions();
  };
  // The response may come before the first render.
  eraseIfSignedOut();
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryHash === hash) eraseIfSignedOut();
  });
}

/**
 * Confirmation links open in other tabs. Refetches on focus; React Query's own refetch on focus would accept a pending
 * response from before the confirmation. @returns the cleanup
 */
export function watchEmailVerification(queryClient: QueryClient): () => void {
  return focusManager.subscribe((isFocused) => {
    const user = queryClient.getQueryData(userQuery.queryKey);
    if (isFocused && user?.emailVerified === false) void queryClient.invalidateQueries(userQuery);
  });
}

function notifyOtherTabs(userId: string | null): void {
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.postMessage(userId);
  channel.close();
}

function useSignIn<Request>(signIn: (request: Request) => Promise<User>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: Request) => {
      discardEarlyResponse();
      return signIn(request);
    },
    onSuccess: async (user) => {
      await setCachedUser(queryClient, () => user);
      notifyOtherTabs(user.id);
    },
  });
}
