import type { QueryClient } from '@tanstack/react-query';
import { MEMORY_IDS_MAX } from '#shared/memory';
import { invalidate, refreshAround } from './memory-lists.ts';
import { loadMemories, MEMORIES, recordOf } from './memory-store.ts';

/**
 * Shows memories that were created, changed or deleted, here or elsewhere. What was changed here is cached as it is
 * fetched now, and renders nothing.
 * @throws ApiError when they could not be fetched
 */
export async function showChangedMemories(client: QueryClient, ids: string[]): Promise<void> {
  const isShown = client.getQueryCache().findAll({ queryKey: [MEMORIES], type: 'active' }).length > 0;
  if (!isShown || ids.length > MEMORY_IDS_MAX) return refreshMemories(client);
  const isNew = ids.some((id) => !recordOf(client, id));
  await loadMemories(client, ids);
  if (isNew) invalidate(client, () => true);
  else refreshAround(client, ids);
}

/** Fetches everything that is shown again. */
export function refreshMemories(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [MEMORIES] }, { throwOnError: true });
}

/** Memories are found by the names of their pets. */
export function refreshSearches(client: QueryClient): void {
  invalidate(client, ({ q }) => !!q);
}
