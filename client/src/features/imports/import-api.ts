import { queryOptions, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Import, IMPORT_CHUNK_BYTES, ImportList } from '#shared/transfers/import';
import { ApiError, apiDelete, apiGet, apiPost, apiPut, ignoreNotFound } from '../../lib/api/api-client.ts';

const IMPORTS = '/api/imports';
const POLL_MS = 1000;
/** After a lost connection; then the same file can be chosen again. */
const RETRY_DELAYS_MS = [1000, 2000, 5000, 10_000, 20_000];

const importsQuery = queryOptions({
  queryKey: [IMPORTS],
  queryFn: ({ signal }) => apiGet(IMPORTS, ImportList, signal),
  refetchInterval: ({ state }) => (state.data?.[0]?.status === 'working' ? POLL_MS : false),
});

/** Null if there is none. Follows its progress. */
export function useImport() {
  const queryClient = useQueryClient();
  const query = useQuery({ ...importsQuery, select: ([only]) => only ?? null });
  const status = query.data?.status;
  const lastStatus = useRef(status);
  useEffect(() => {
    // Pets and contacts were added, and perhaps a name.
    if (lastStatus.current === 'working' && status !== 'working') void queryClient.invalidateQueries();
    lastStatus.current = status;
  }, [status, queryClient]);
  return query;
}

/** Sends the file in pieces, from where an earlier upload of it ended. */
export function useUploadImport() {
  const queryClient = useQueryClient();
  const [controller, setController] = useState<AbortController | null>(null);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const aborter = new AbortController();
      setController(aborter);
      await uploadFile(queryClient, file, aborter.signal);
    },
    onSettled: () => setController(null),
    onError: () => void queryClient.invalidateQueries(importsQuery),
  });
  useEffect(() => () => controller?.abort(), [controller]);
  return { ...upload, cancel: () => controller?.abort() };
}

export function useDeleteImport() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiDelete(`${IMPORTS}/${id}`).catch(ignoreNotFound),
    onSuccess: () => showImport(queryClient, null),
  });
}

async function uploadFile(queryClient: QueryClient, file: File, signal: AbortSignal): Promise<void> {
  const start = () => apiPost(IMPORTS, { fileName: file.name, size: file.size }, Import, {}, signal);
  let current = await start();
  while (current.status === 'receiving') {
    await showImport(queryClient, current);
    const { id, receivedBytes } = current;
    const number = receivedBytes / IMPORT_CHUNK_BYTES;
    const chunk = file.slice(receivedBytes, receivedBytes + IMPORT_CHUNK_BYTES, 'application/octet-stream');
    current = await retry(() => apiPut(`${IMPORTS}/${id}/chunks/${number}`, chunk, Import, signal), signal);
  }
  await showImport(queryClient, current);
}

async function showImport(queryClient: QueryClient, current: Import | null): Promise<void> {
  // A pending fetch may be from before.
  await queryClient.cancelQueries(importsQuery);
  queryClient.setQueryData(importsQuery.queryKey, current ? [current] : []);
}

async function retry<Result>(send: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (const delay of RETRY_DELAYS_MS) {
    try {
      return await send();
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (isFinal || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
      signal.throwIfAborted();
    }
  }
  return send();
}
