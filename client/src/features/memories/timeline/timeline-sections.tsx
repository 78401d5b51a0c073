import type { VirtualItem } from '@tanstack/react-virtual';
import { memo } from 'react';
import type { MemoryOrder } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { formatMonth } from '../../../lib/dates.ts';
import { usePets } from '../../pets/pet-api.ts';
import type { MemoryActions } from '../details/use-memory-dialog.ts';
import { TimelineEntry, TimelineEntryError, TimelineEntrySkeleton } from './timeline-entry.tsx';
import { sectionAtRow, type Section, type TimelineLayout } from './timeline-layout.ts';
import type { FailedItem, RowItem } from './use-timeline.ts';
import { useMemory } from '../store/memory-store.ts';

const EAGER_ROWS = 3;

interface TimelineSectionsProps {
  rows: VirtualItem[];
  topRow: number;
  /** The offset of the first mounted row. */
  start: number;
  measure: (element: HTMLElement | null) => void;
  layout: TimelineLayout;
  order: MemoryOrder;
  itemAt: (section: Section, position: number) => RowItem;
  onOpen: MemoryActions['open'];
}

/** The mounted rows, grouped by month. A section keeps its name while its heading is unmounted. */
export function TimelineSections({
  rows,
  topRow,
  start,
  measure,
  layout,
  itemAt,
  ...entry
}: TimelineSectionsProps) {
  const { data: pets } = usePets();
  const retryRow = rows.find(({ index }) => {
    const section = sectionAtRow(layout, index);
    return (
      index >= topRow &&
      section &&
      index > section.firstRow &&
      isError(itemAt(section, index - section.firstRow - 1))
    );
  })?.index;
  return (
    <div data-memory-list="" className="absolute inset-x-0 top-0" style={{ translate: `0 ${start}px` }}>
      {groupBySection(layout, rows).map(([section, rows]) => (
        <section key={section.month} aria-label={formatMonth(section.month)}>
          {rows[0] === section.firstRow && (
            <h2 ref={measure} data-index={section.firstRow} className="pt-2 pb-8 text-title">
              {formatMonth(section.month)}
            </h2>
          )}
          <ol>
            {rows
              .filter((row) => row > section.firstRow)
              .map((row) => (
                <li
                  key={row - section.firstRow}
                  ref={measure}
                  data-index={row}
                  aria-posinset={section.firstIndex + row - section.firstRow}
                  aria-setsize={layout.memoryCount}
                >
                  <Entry
                    item={itemAt(section, row - section.firstRow - 1)}
                    pets={pets}
                    offersRetry={row === retryRow}
                    isEager={row <= EAGER_ROWS}
                    {...entry}
                  />
                </li>
              ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface EntryProps extends Pick<TimelineSectionsProps, 'order' | 'onOpen'> {
  item: RowItem;
  pets: Pet[] | undefined;
  isEager: boolean;
  offersRetry: boolean;
}

function Entry({ item, offersRetry, ...props }: EntryProps) {
  if (item === null) return null;
  if (isError(item)) return <TimelineEntryError onRetry={offersRetry ? item.retry : null} />;
  if (item === 'loading') return <TimelineEntrySkeleton />;
  return <LoadedEntry key={item.id} id={item.id} {...props} />;
}

/** Rendered once, unless its memory or the pets change. */
const LoadedEntry = memo(function LoadedEntry({
  id,
  pets,
  ...props
}: Omit<EntryProps, 'item' | 'offersRetry'> & { id: string }) {
  const memory = useMemory(id);
  if (memory === null) return null;
  if (memory === 'loading' || 'retry' in memory) return <TimelineEntrySkeleton />;
  return <TimelineEntry memory={memory} pet={pets?.find(({ id }) => id === memory.petId)} {...props} />;
});

function isError(item: RowItem): item is FailedItem {
  return item !== null && item !== 'loading' && 'retry' in item;
}

function groupBySection(layout: TimelineLayout, rows: VirtualItem[]): [Section, number[]][] {
  const sections = new Map<Section, number[]>();
  for (const { index } of rows) {
    const section = sectionAtRow(layout, index);
    if (section) sections.set(section, [...(sections.get(section) ?? []), index]);
  }
  return [...sections];
}
