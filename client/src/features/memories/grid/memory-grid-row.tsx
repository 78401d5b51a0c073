import { memo, type ReactNode } from 'react';
import { classNames } from '../../../lib/class-names.ts';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import { useMemory, type StoredMemory } from '../store/memory-store.ts';
import { gridStyle, rowWidth, type GridColumns } from './grid-layout.ts';

export type RenderCard = (memory: StoredMemory, size: { width: number; isEager: boolean }) => ReactNode;

/** A line in front of the memory at an index. */
export interface GridDivider {
  index: number;
  text: string;
}

interface MemoryGridRowProps {
  ids: string[];
  columns: GridColumns;
  /** Index of the row's first memory. */
  start: number;
  total: number;
  /** If it is in this row. */
  divider: GridDivider | null;
  isEager: boolean;
  renderCard: RenderCard;
}

export const MemoryGridRow = memo(function MemoryGridRow({
  ids,
  columns,
  start,
  total,
  divider,
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
          className="relative row-span-2 grid min-w-0 scroll-my-2 grid-cols-[minmax(0,1fr)] grid-rows-subgrid"
        >
          {divider?.index === start + column && (
            <Divider column={column} columns={columns}>
              {divider.text}
            </Divider>
          )}
          <Card id={id} width={columns.widthPx} {...card} />
        </div>
      ))}
    </div>
  );
});

/** Above a whole row, or between two memories of one. In the gaps, so that it moves nothing. */
function Divider({
  column,
  columns,
  children,
}: Pick<MemoryGridRowProps, 'columns'> & { column: number; children: string }) {
  const isBetween = column > 0;
  return (
    <p
      className={classNames(
        'pointer-events-none absolute flex items-center gap-3 bg-paper text-small whitespace-nowrap text-accent select-none',
        // Along the text's direction.
        "before:flex-1 before:bg-accent before:content-[''] before:[block-size:1px]",
        "after:flex-1 after:bg-accent after:content-[''] after:[block-size:1px]",
        isBetween
          ? 'top-0 bottom-8 -left-4 w-5 -translate-x-1/2 [writing-mode:vertical-rl]'
          : '-top-4 left-0 -translate-y-1/2 has-[+article]:top-0',
      )}
      style={isBetween ? undefined : { width: rowWidth(columns) }}
    >
      {children}
    </p>
  );
}

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
