import { memo, type ReactNode } from 'react';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useMemory, type StoredMemory } from '../store/memory-store.ts';
import { gridStyle } from './grid-layout.ts';

export type RenderCard = (memory: StoredMemory, size: { width: number; isEager: boolean }) => ReactNode;

interface MemoryGridRowProps {
  ids: string[];
  columns: number;
  cardWidth: number;
  /** Index of the row's first memory. */
  start: number;
  total: number;
  isEager: boolean;
  renderCard: RenderCard;
}

export const MemoryGridRow = memo(function MemoryGridRow({
  ids,
  columns,
  cardWidth,
  start,
  total,
  ...card
}: MemoryGridRowProps) {
  return (
    <div className="grid" style={gridStyle(columns)}>
      {ids.map((id, column) => (
        <div
          role="listitem"
          key={id}
          aria-posinset={start + column + 1}
          aria-setsize={total}
          className="row-span-2 grid min-w-0 scroll-my-2 grid-cols-[minmax(0,1fr)] grid-rows-subgrid"
        >
          <Card id={id} width={cardWidth} {...card} />
        </div>
      ))}
    </div>
  );
});

interface CardProps extends Pick<MemoryGridRowProps, 'isEager' | 'renderCard'> {
  id: string;
  width: number;
}

/** Rendered once, unless its memory or its size changes. */
const Card = memo(function Card({ id, renderCard, ...size }: CardProps) {
  const memory = useMemory(id);
  if (memory === null) return null;
  if (memory === 'loading' || 'retry' in memory) return <Skeleton className="aspect-square" />;
  return renderCard(memory, size);
});
