import type { QueryClient } from '@tanstack/react-query';
import { MEMORY_IDS_MAX } from '#shared/memory';
import { invalidateLists } from './memory-lists.ts';
import { isTrash, memoriesCameOrWent, refreshAfterChange } from './memory-mutations.ts';
import { getMemory, loadMemories, MEMORIES, type StoredMemory } from './memory-store.ts';

/**
 * Shows memories that were created, changed or deleted, here or elsewhere. What is cached of a change made here equals
 * what is fetched: nothing renders.
 * @throws ApiError when they could not be fetched
 */
export async function showChangedMemories(client: QueryClient, ids: string[]): Promise<void> {
  const isShown = client.getQueryCache().findAll({ queryKey: [MEMORIES], type: 'active' }).length > 0;
  if (!isShown || ids.length > MEMORY_IDS_MAX) return refreshMemories(client);
  const before = ids.map((id) => getMemory(client, id));
  await loadMemories(client, ids);
  const after = ids.map((id) => getMemory(client, id));
  const changed = new Set(after.flatMap((memory, index) => changedFields(before[index], memory)));
  if (changed.has('deletedAt')) memoriesCameOrWent(client);
  else refreshAfterChange(client, changed);
  // One that was in the trash may have been deleted for good.
  if (after.some((memory) => memory?.deletedAt)) invalidateLists(client, isTrash);
}

/** Fetches everything that is shown again. */
export function refreshMemories(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [MEMORIES] }, { throwOnError: true });
}

/** Memories are found by the names of their pets. */
export function refreshSearches(client: QueryClient): void {
  invalidateLists(client, ({ q }) => !!q);
}

/** A memory that was not known may have come from the trash, or gone there. */
function changedFields(
  before: StoredMemory | null | undefined,
  after: StoredMemory | null | undefined,
): (keyof StoredMemory)[] {
  if (!before || !after) return before === after ? [] : ['deletedAt'];
  const fields = Object.keys({ ...before, ...after }) as (keyof StoredMemory)[];
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
