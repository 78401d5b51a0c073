import { focusManager, hashKey, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { PasskeyAssertion } from '#shared/accounts/passkey';
import { SecondFactorNeeded, type CodeRequest } from '#shared/accounts/second-factor';
import { User, type LoginRequest, type RegisterRequest } from '#shared/accounts/user';
import { apiPost } from '../../lib/api/api-client.ts';
import { discardEarlyResponse } from '../../lib/api/early-response.ts';
import { paths } from '../../lib/routing/paths.ts';
import { claimDrafts } from '../drafts/draft-owner.ts';
import { eraseUploadSessions, eraseVendorSignIns } from '../uploads/upload-session.ts';
import { setCachedUser, userQuery } from '../users/current-user.ts';

/** GET /api/login redirects to the sign-in page. */
export const SIGN_IN_REDIRECT = '/api/login';

export const logoutKey = ['logout'];
const SESSION_CHANNEL = 'account';

const LoginResponse = z.union([User, SecondFactorNeeded]);

/** Resolves to null if a code must follow. */
export function useLogin() {
  return useSignIn(async (request: LoginRequest) => {
    const response = await apiPost('/api/login', request, LoginResponse);
    return 'secondFactor' in response ? null : response;
  });
}

/** The second step of `useLogin`. */
export function useLoginCode() {
  return useSignIn((request: CodeRequest) => apiPost('/api/login/code', request, User));
}

export function usePasskeyLogin() {
  return useSignIn((assertion: PasskeyAssertion) => apiPost('/api/login/passkey', assertion, User));
}

export function useRegister() {
  return useSignIn((request: RegisterRequest) => apiPost('/api/register', request, User));
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
    // Its own message reaches a tab that leaves for the sign-in page.
    if ((currentId === userId && userId !== null) || isLoggingOut(queryClient)) return;
    // A sign-out. Drafts of a session that ended elsewhere are for the same user only: see draft-owner.ts.
    const discarded = userId === null ? discardDrafts() : Promise.resolve();
    // The server may have told this tab before that the session has ended.
    void discarded.then(
      () => currentId !== userId && window.location.assign(userId === null ? paths.auth : paths.home),
    );
  };
  return () => channel.close();
}

/** They belong to no account of ours: another person may be next at this browser. @returns the cleanup */
export function eraseVendorSignInsWhenSignedOut(queryClient: QueryClient): () => void {
  const hash = hashKey(userQuery.queryKey);
  const eraseIfSignedOut = () => {
    if (queryClient.getQueryData(userQuery.queryKey) === null) eraseVendorSignIns();
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

/** On sign-out: what was typed in this tab, and photos that were not sent. Visitors have none, and do not load this code. */
export async function discardUnsaved(queryClient: QueryClient): Promise<void> {
  const userId = queryClient.getQueryData(userQuery.queryKey)?.id;
  await Promise.all([discardDrafts(), eraseUploadSessions(), userId && eraseReceivedPhotos(userId)]);
}

/** Of a share sheet. Without a service worker there are none. */
async function eraseReceivedPhotos(userId: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const received = await import('../share-target/received-photos.ts').catch(() => null);
  await received?.eraseReceivedOf(userId).catch(() => undefined);
}

async function discardDrafts(): Promise<void> {
  const drafts = await import('../drafts/form-drafts.tsx').catch(() => null);
  drafts?.discardAllDrafts();
}

/** Of a user who has signed out. */
export async function removeUserData(queryClient: QueryClient): Promise<void> {
  // React Query notifies in the next task: a page still mounted would refetch the removed data.
  await new Promise((resolve) => setTimeout(resolve));
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] });
}

export function notifyOtherTabs(userId: string | null): void {
  const channel = new BroadcastChannel(SESSION_CHANNEL);
  channel.postMessage(userId);
  channel.close();
}

export function useSignIn<Request, Result extends User | null>(
  signIn: (request: Request) => Promise<Result>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: Request) => {
      discardEarlyResponse();
      return signIn(request);
    },
    onSuccess: async (user) => {
      if (!user) return;
      await claimDrafts(user.id);
      await setCachedUser(queryClient, () => user);
      notifyOtherTabs(user.id);
    },
  });
}
