import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { AdminBackup } from '#shared/transfers/backup';
import {
  AdminUser,
  AdminUserList,
  AdminWarnings,
  PasswordResetLink,
  type UpdateAdminUserRequest,
} from '#shared/accounts/admin';
import { PAGE_SIZE } from '#shared/api/pagination';
import {
  apiDelete,
  apiGet,
  apiGetPage,
  apiPatch,
  apiPost,
  ignoreNotFound,
} from '../../lib/api/api-client.ts';
import { userQuery } from '../users/current-user.ts';

const USERS = '/api/admin/users';

function adminUsersQuery(search: string) {
  const firstPage = `${USERS}?${new URLSearchParams({ limit: `${PAGE_SIZE}`, ...(search && { search }) })}`;
  return infiniteQueryOptions({
    queryKey: [USERS, firstPage],
    queryFn: ({ pageParam, signal }) => apiGetPage(pageParam, AdminUserList, signal),
    initialPageParam: firstPage,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  });
}

/** Newest account first. */
export function useAdminUsers(search: string) {
  return useInfiniteQuery({ ...adminUsersQuery(search), placeholderData: keepPreviousData });
}

/** Null if no nightly backups are configured. */
export function useBackupState() {
  return useQuery({
    queryKey: ['/api/admin/backup'],
    queryFn: async ({ signal }) => (await apiGet('/api/admin/backup', AdminBackup, signal)).backup,
  });
}

/** What the operator should change in the configuration. */
export function useAdminWarnings() {
  return useQuery({
    queryKey: ['/api/admin/warnings'],
    queryFn: async ({ signal }) => (await apiGet('/api/admin/warnings', AdminWarnings, signal)).warnings,
  });
}

export function useUpdateAdminUser() {
  const reload = useReload();
  return useMutation({
    mutationFn: ({ id, changes }: { id: string; changes: UpdateAdminUserRequest }) =>
      apiPatch(`${USERS}/${id}`, changes, AdminUser),
    onSettled: reload,
  });
}

export function useDeleteAdminUser() {
  const reload = useReload();
  return useMutation({
    mutationFn: ({ id, username }: Pick<AdminUser, 'id' | 'username'>) =>
      apiDelete(`${USERS}/${id}`, { username }).catch(ignoreNotFound),
    onSettled: reload,
  });
}

/** Needs a confirmed identity. */
export function useTurnTotpOffAsAdmin() {
  const reload = useReload();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${USERS}/${id}/totp`),
    onSettled: reload,
  });
}

export function useCreateResetLink() {
  return useMutation({
    mutationFn: (id: string) => apiPost(`${USERS}/${id}/password-reset`, undefined, PasswordResetLink),
  });
}

/** Also on error: only the response may have been lost. An act on the own account ends the session or this page. */
function useReload() {
  const queryClient = useQueryClient();
  return async () => {
    void queryClient.invalidateQueries(userQuery);
    await queryClient.invalidateQueries({ queryKey: [USERS] });
  };
}
