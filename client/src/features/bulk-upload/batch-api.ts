import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BatchList } from '#shared/transfers/batch';
import { apiDelete, apiGet, apiPostEmpty } from '../../lib/api/api-client.ts';
import { refetchAllMemories } from '../memories/store/memory-mutations.ts';

export const BATCHES = '/api/batches';

/** Of the last 30 days, newest first. */
export function useBatches() {
  return useQuery({
    queryKey: [BATCHES],
    queryFn: ({ signal }) => apiGet(BATCHES, BatchList, signal),
  });
}

function useBatchChange<Target>(send: (target: Target) => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [BATCHES] });
      void refetchAllMemories(client);
    },
  });
}

/** Idempotent. Contacts get the chosen photos, and all of a small batch. */
export function useFinishBatch() {
  return useBatchChange(({ id, contactsMemoryIds }: { id: string; contactsMemoryIds: string[] }) =>
    apiPostEmpty(`${BATCHES}/${id}/finish`, { contactsMemoryIds }),
  );
}

export function useTakeBackBatch() {
  return useBatchChange((id: string) => apiDelete(`${BATCHES}/${id}`));
}

export function useRestoreBatch() {
  return useBatchChange((id: string) => apiPostEmpty(`${BATCHES}/${id}/restore`));
}
