import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { BookOpen } from 'lucide-react';
import { toPhotoPage } from '#shared/album/flipbook';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import type { Memory } from '#shared/album/memory';
import { toLocalDay } from '../../../lib/dates.ts';
import { useListBounds, useOnScrollEnd, useRestoredScroll } from '../../../lib/virtual-list.ts';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import { MemoryImage } from '../../memories/memory-image.tsx';
import { isLoadedMemory, useMemory } from '../../memories/store/memory-store.ts';
import { MissingMemory } from '../missing-memory.tsx';
import { DetailsLine } from '../details-line.tsx';
import { BarButton, useBookKeys, ViewerBar, type BookViewProps } from './viewer-bar.tsx';

const BAR_PX = 72;
/** The entry at this distance below the bar is the current one. */
const READING_LINE_PX = 120;
const ENTRY_PX = 620;

export function BookList({ title, memoryIds, startPage, onPage, ...bar }: BookViewProps) {
  const { rows, top, listRef, currentPage } = useBookRows(memoryIds.length, startPage);
  const visible = rows.getVirtualItems();
  const memories = memoryIds.length;
  useOnScrollEnd(rows.isScrolling, () => onPage(currentPage()));
  useBookKeys({ onClose: bar.onClose });

  return (
    <div className="book-list pb-24">
      <div className="sticky top-0 z-10 bg-paper">
        <ViewerBar onClose={bar.onClose}>
          {bar.actions}
          <BarButton
            Icon={BookOpen}
            onClick={() => bar.onSwitchView(window.scrollY > 0 ? currentPage() : startPage)}
          >
            View as book
          </BarButton>
        </ViewerBar>
      </div>
      <div className="mx-auto max-w-2xl px-5">
        <ListCover title={title} memories={memories} />
        <div
          ref={listRef}
          className="relative [overflow-anchor:none]"
          style={{ height: rows.getTotalSize() }}
        >
          <ol
            className="absolute inset-x-0 top-0"
            style={{ translate: `0 ${(visible[0]?.start ?? top) - top}px` }}
          >
            {visible.map(({ key, index }) => (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={memories}
                className="border-t border-hairline py-12"
              >
                <ListEntry id={memoryIds[index]!} position={flipbookTexts.position(index, memories)} />
              </li>
            ))}
          </ol>
        </div>
        <ListEnd />
      </div>
    </div>
  );
}

function useBookRows(memories: number, startPage: number) {
  const [{ width, top }, listRef] = useListBounds(window);
  const rows = useWindowVirtualizer({
    count: memories,
    estimateSize: () => ENTRY_PX,
    overscan: 2,
    scrollMargin: top,
    scrollPaddingStart: BAR_PX,
    enabled: width > 0,
  });
  useRestoredScroll(width > 0, undefined, () => {
    if (startPage > 0) rows.scrollToIndex(Math.floor((startPage - 1) / 2), { align: 'start' });
  });
  /** The photo page of the current entry, or the cover above the first one. */
  const currentPage = () => {
    const offset = window.scrollY + BAR_PX + READING_LINE_PX;
    return offset < top ? 0 : toPhotoPage(rows.getVirtualItemForOffset(offset)?.index ?? 0);
  };
  return { rows, top, listRef, currentPage };
}

function ListCover({ title, memories }: { title: string; memories: number }) {
  return (
    <header className="py-12 text-center">
      <h1 dir="auto" className="text-display wrap-anywhere">
        {title}
      </h1>
      <p className="mt-3 text-lead text-muted">{flipbookTexts.count(memories)}</p>
      <p className="mt-1 font-display text-muted italic">{flipbookTexts.dedication}</p>
    </header>
  );
}

function ListEnd() {
  return (
    <footer className="border-t border-hairline pt-12 text-center">
      <p className="font-display text-title">{flipbookTexts.end}</p>
      <p className="mt-3 text-muted">{flipbookTexts.createdOn(toLocalDay(new Date().toISOString()))}</p>
      <p className="text-muted">{flipbookTexts.madeWith}</p>
    </footer>
  );
}

function ListEntry({ id, position }: { id: string; position: string }) {
  const memory = useMemory(id);
  if (isLoadedMemory(memory)) return <MemoryEntry memory={memory} position={position} />;
  return (
    <div className="space-y-4">
      <p className="text-small text-muted tabular-nums">{position}</p>
      {memory === 'loading' ? <Skeleton className="aspect-4/3" /> : <MissingMemory memory={memory} />}
    </div>
  );
}

function MemoryEntry({ memory, position }: { memory: Memory; position: string }) {
  const aspect = memory.width && memory.height ? memory.width / memory.height : 1;
  // Not higher than the screen.
  const width = `min(100%, ${Math.round(560 * aspect)}px, ${(memory.width ?? 800) * 2}px)`;
  return (
    <article>
      <p className="mb-4 text-small text-muted tabular-nums">{position}</p>
      <div className="book-print mx-auto" style={{ width }}>
        <MemoryImage
          memory={memory}
          sizes={`(min-width: 640px) ${Math.min(640, Math.round(560 * aspect))}px, 100vw`}
          style={{ aspectRatio: aspect }}
        />
      </div>
      <p
        dir="auto"
        className={`mt-6 font-display text-lead wrap-anywhere whitespace-pre-line ${memory.caption ? '' : 'text-muted italic'}`}
      >
        {memory.caption || flipbookTexts.untitled}
      </p>
      <DetailsLine memory={memory} className="mt-2" />
    </article>
  );
}
