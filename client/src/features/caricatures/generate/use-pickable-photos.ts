import { useMemoryStats, useMemoryList } from '../../memories/store/memory-lists.ts';
import { isLoadedMemory, useMemory } from '../../memories/store/memory-store.ts';

export const MAX_PHOTOS = 15;

/** The newest photos. A chosen older one, e.g. from another page, comes first. */
export function pickablePhotos(ids: string[], chosenId: string | undefined): string[] {
  const newest = ids.slice(0, MAX_PHOTOS);
  if (chosenId === undefined || newest.includes(chosenId)) return newest;
  return [chosenId, ...newest.slice(0, MAX_PHOTOS - 1)];
}

/** @param chosenId empty if none is chosen */
export function usePickablePhotos(petId: string, chosenId: string) {
  const [memories] = useMemoryList({ petId });
  const { ids, isPrevious, isComplete } = memories;
  const { data: stats } = useMemoryStats(
    { petId },
    { enabled: ids !== undefined && !isPrevious && !isComplete },
  );
  const memory = useMemory(ids && !isPrevious ? chosenId : '');
  const chosen = isLoadedMemory(memory) && (!petId || memory.petId === petId) ? memory : null;
  return {
    ids: ids && !isPrevious ? pickablePhotos(ids, chosen?.id) : undefined,
    count: isComplete ? ids?.length : stats?.total,
    chosen,
    query: memories,
  };
}
