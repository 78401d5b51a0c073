import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Export, ExportList } from '#shared/transfers/export';
import { apiGet, apiGetFirstByte, apiPost } from '../../lib/api/api-client.ts';
import { download } from '../../lib/browser/download.ts';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';

const EXPORTS = '/api/exports';
const POLL_MS = 1000;

const exportsQuery = queryOptions({
  queryKey: [EXPORTS],
  queryFn: ({ signal }) => apiGet(EXPORTS, ExportList, signal),
  refetchInterval: ({ state }) => (state.data?.[0]?.status === 'making' ? POLL_MS : false),
});

/** Null if there is none. Follows its progress. */
export function useExport() {
  return useQuery({ ...exportsQuery, select: ([only]) => only ?? null });
}

/** Replaces a finished one. */
export function useStartExport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => apiPost(EXPORTS, undefined, Export),
    onSuccess: async (started) => {
      // A pending fetch may be from before.
      await queryClient.cancelQueries(exportsQuery);
      queryClient.setQueryData(exportsQuery.queryKey, [started]);
    },
  });
}

/** May ask for the password first, which a download alone could not. */
export function useDownloadPart() {
  const queryClient = useQueryClient();
  const withConfirmedIdentity = useConfirmedIdentity();
  return useMutation({
    mutationFn: async (url: string) => {
      await withConfirmedIdentity(() => apiGetFirstByte(url));
      download(url);
    },
    // It may have expired.
    onError: () => void queryClient.invalidateQueries(exportsQuery),
  });
}
