import { useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { Memory } from '#shared/memory';
import type { Page } from '../../../lib/api-client.ts';
import { LISTS, MEMORIES } from '../memory-api.ts';
import { fetchMemories } from '../memory-updates.ts';

/** A list of its own for the memory that lies open: it stays, and stays right, when it leaves the list around it. */
export function useKeptMemory({ id, isOpen }: { id: string; isOpen: boolean }): Memory | undefined {
  const path = pathOf(id);
  const { data } = useQuery({
    queryKey: keyOf(path),
    queryFn: async (context) => toList(path, await fetchMemories(path, context)),
    enabled: isOpen,
  });
  return data?.pages[0]?.items[0];
}

/** To be called with a memory before it is opened. */
export function useKeepMemory() {
  const queryClient = useQueryClient();
  return (memory: Memory) => {
    const path = pathOf(memory.id);
    queryClient.setQueryData(keyOf(path), toList(path, { items: [memory], next: null }));
  };
}

function pathOf(id: string): string {
  return `${MEMORIES}?ids=${id}`;
}

function keyOf(path: string): string[] {
  return [...LISTS, 'kept', path];
}

function toList(path: string, page: Page<Memory[]>): InfiniteData<Page<Memory[]>, string> {
  return { pages: [page], pageParams: [path] };
}
