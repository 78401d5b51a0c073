import { useRef } from 'react';
import { MemoryDialog } from '../details/memory-dialog.tsx';
import { useOpenMemory } from '../details/use-open-memory.ts';
import type { LoadedList } from '../store/memory-lists.ts';
import { MemoryCard, type MemoryCardProps } from './memory-card.tsx';
import type { MemoryGridHandle } from './memory-grid.tsx';
import type { RenderCard } from './memory-grid-row.tsx';

/** A grid's cards, and the dialog that opens from them and goes through the list. */
export function useMemoryCards(memories: LoadedList, mode: MemoryCardProps['mode']) {
  const { ids = [], isComplete, error, retry } = memories;
  const gridRef = useRef<MemoryGridHandle>(null);
  const { actions, dialog } = useOpenMemory({
    count: ids.length + (isComplete ? 0 : 1),
    at: (place) => ids[place],
    failure: error,
    reveal: (place) => {
      gridRef.current?.reveal(place);
      if (error !== null) retry();
    },
  });
  const renderCard: RenderCard = (memory, size) => (
    <MemoryCard {...size} memory={memory} mode={mode} actions={actions} />
  );
  return { gridRef, renderCard, dialog: dialog && <MemoryDialog {...dialog} /> };
}
