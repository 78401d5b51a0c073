import { useMemoryStats, useMemoryList } from '../../memories/store/memory-lists.ts';
import { isMemory, useMemory } from '../../memories/store/memory-store.ts';
import { pickablePhotos } from './pickable-photos.ts';

/** @param chosenId empty while none is chosen */
export function usePickablePhotos(petId: string, chosenId: string) {
  const [memories] = useMemoryList({ petId });
  const { ids, isPrevious, isComplete } = memories;
  const { data: stats } = useMemoryStats(
    { petId },
    { enabled: ids !== undefined && !isPrevious && !isComplete },
  );
  const memory = useMemory(ids && !isPrevious ? chosenId : '');
  const chosen = isMemory(memory) && (!petId || memory.petId === petId) ? memory : null;
  return {
    ids: ids && !isPrevious ? pickablePhotos(ids, chosen?.id) : undefined,
    /** Undefined until it is known. */
    count: isComplete ? ids?.length : stats?.total,
    chosen,
    query: memories,
  };
}
