import {
  focusManager,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { User, type LoginRequest, type RegisterRequest } from '#shared/user';
import { ApiError, apiGet, apiPost, apiPostEmpty, isLostSession } from '../../lib/api-client.ts';
import { discardAllDrafts } from '../drafts/form-drafts.ts';
import { eraseUploadSessions } from '../uploads/upload-session.ts';

const FRESH_MS = 5 * 60 * 1000;

/** GET /api/login redirects to the sign-in screen: for full navigations out of a lost session. */
export const SIGN_IN_REDIRECT = '/api/login';

const logoutKey = ['logout'];
const ACCOUNT_CHANNEL = 'account';

/** The signed-in user; null means signed out. */
export const userQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: ({ signal }) => fetchUser(signal),
  staleTime: FRESH_MS,
});

export function useUser() {
  return useQuery(userQuery);
}

export function useLogin() {
  return useSignIn((request: LoginRequest) => apiPost('/api/login', request, User));
}

export function useRegister() {
  return useSignIn((request: RegisterRequest) => apiPost('/api/register', request, User));
}

interface LogoutOptions {
  /** On every device, not on this one alone. */
  isEverywhere: boolean;
  /** Runs first, so that the screens of the signed-in are gone before their data is. */
  onSignedOut: () => void;
}

export function useLogout({ isEverywhere, onSignedOut }: LogoutOptions) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: logoutKey,
    mutationFn: () => apiPostEmpty(isEverywhere ? '/api/logout/all' : '/api/logout'),
    onSuccess: async () => {
      onSignedOut();
      void eraseUploadSessions();
      discardAllDrafts();
      await queryClient.cancelQueries();
      queryClient.setQueryData(userQuery.queryKey, null);
      notifyOtherTabs(null);
      // The screens hear of it in the next turn; one that still stood would ask for its data anew.
      await new Promise((resolve) => setTimeout(resolve));
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] });
    },
    // It had ended before: then the screens have to hear that.
    onError: (error) => {
      if (isLostSession(error)) void queryClient.invalidateQueries(userQuery);
    },
  });
}

/** While this is so, a call that finds the session gone is no surprise. */
export function isLoggingOut(queryClient: QueryClient): boolean {
  return queryClient.isMutating({ mutationKey: logoutKey }) > 0;
}

/**
 * Tells the other tabs who is signed in now, and hears it from them: a tab that shows one account's album must not
 * add to another's. @returns what ends the listening
 */
export function syncSessionAcrossTabs(queryClient: QueryClient): () => void {
  const channel = new BroadcastChannel(ACCOUNT_CHANNEL);
  channel.onmessage = ({ data: userId }: MessageEvent<string | null>) => {
    const shown = queryClient.getQueryData(userQuery.queryKey)?.id ?? null;
    if (shown === userId) return;
    if (shown !== null) discardAllDrafts();
    window.location.assign('/');
  };
  return () => channel.close();
}

/**
 * The link that confirms an address opens elsewhere: whoever comes back from there finds nothing waiting for it.
 * It asks anew even if an answer is on its way, for that may be from before; the query's own refetch on focus would
 * make do with it. @returns what ends it
 */
export function watchEmailVerification(queryClient: QueryClient): () => void {
  return focusManager.subscribe((isFocused) => {
    const user = queryClient.getQueryData(userQuery.queryKey);
    if (isFocused && user?.emailVerified === false) void queryClient.invalidateQueries(userQuery);
  });
}

function notifyOtherTabs(userId: string | null): void {
  const channel = new BroadcastChannel(ACCOUNT_CHANNEL);
  channel.postMessage(userId);
  channel.close();
}

function useSignIn<Request>(signIn: (request: Request) => Promise<User>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: signIn,
    onSuccess: async (user) => {
      await setCachedUser(queryClient, () => user);
      notifyOtherTabs(user.id);
    },
  });
}

/** Shows at once what an answer says of the user. One that is still on its way is older, or newer: it is asked for anew. */
export async function setCachedUser(
  queryClient: QueryClient,
  change: (user: User | null | undefined) => User | null | undefined,
): Promise<void> {
  const isAsking = queryClient.isFetching(userQuery) > 0;
  await queryClient.cancelQueries(userQuery);
  queryClient.setQueryData(userQuery.queryKey, change);
  if (isAsking) void queryClient.invalidateQueries(userQuery);
}

async function fetchUser(signal: AbortSignal): Promise<User | null> {
  try {
    return await apiGet('/api/user', User, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
