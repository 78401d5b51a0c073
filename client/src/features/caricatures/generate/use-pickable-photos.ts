import type { Memory } from '#shared/memory';
import { useMemories } from '../../memories/memory-api.ts';
import { useMemoryCount } from '../../memories/memory-count-api.ts';
import { useMemoriesById } from '../../memories/memories-by-id-api.ts';
import { pickablePhotos } from './pickable-photos.ts';

/** @param chosenId empty while none is chosen */
export function usePickablePhotos(petId: string, chosenId: string) {
  const memories = useMemories({ petId });
  const { data, isPlaceholderData: isBefore, hasNextPage } = memories;
  const listed = data?.find(({ id }) => id === chosenId);
  const older = useMemoriesById(chosenId && data && !isBefore && !listed ? [chosenId] : [], {
    first: 0,
    last: 0,
  })(0);
  const counted = useMemoryCount({ petId }, hasNextPage);
  const chosen = listed ?? (isMemory(older) && (!petId || older.petId === petId) ? older : null);
  return {
    photos: data && !isBefore ? pickablePhotos(data, chosen) : undefined,
    /** Undefined until it is known. */
    count: hasNextPage ? counted : data?.length,
    chosen,
    query: memories,
  };
}

function isMemory(sought: ReturnType<ReturnType<typeof useMemoriesById>>): sought is Memory {
  return typeof sought === 'object' && sought !== null && 'id' in sought;
}
