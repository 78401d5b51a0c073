import { List } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { countFlipbookPages, flipbookPageAt } from '#shared/flipbook';
import { useMemoriesById } from '../../memories/memories-by-id-api.ts';
import { useBookEngine } from '../engine/use-book-engine.ts';
import { Sheet } from '../sheets/sheet.tsx';
import { spreadAt } from '../spreads.ts';
import { useRested } from './book-address.ts';
import { BookStage } from './book-stage.tsx';
import type { BookViewProps } from './book-view.ts';
import { PageBar } from './page-bar.tsx';
import { ReadAloud } from './read-aloud.tsx';
import { useBookKeys } from './use-book-keys.ts';
import { BarButton, ViewerBar } from './viewer-bar.tsx';

/** Pages before and after the open ones that have their contents already: two turns' worth, photos fetched. */
const PAGES_AHEAD = 4;

/** The book lying open, to be leafed through. */
export function OpenBook({ memoryIds, startPage, onPage, onOtherView, onClose, actions }: BookViewProps) {
  const [beginning] = useState(startPage);
  const memories = memoryIds.length;
  const total = countFlipbookPages(memories);
  const { stageRef, engine, layout, page } = useBookEngine({ total, startPage: beginning });
  const isWide = layout?.isWide ?? false;
  const spread = spreadAt(page, total, isWide);
  useTellWhereAtRest(page, onPage);
  useBookKeys({
    onTurn: (by) => engine?.turn(by),
    onFirst: () => engine?.goTo(0),
    onLast: () => engine?.goTo(total - 1),
    onClose,
  });

  // Whoever races through the book is shown where they stop.
  const near = useRested(page, (one, other) => Math.abs(one - other) <= PAGES_AHEAD);
  const { first, last } = spreadAt(near, total, isWide);
  const memoryAt = useMemoriesById(memoryIds, {
    first: memoryOn(first - PAGES_AHEAD, memories),
    last: memoryOn(last + PAGES_AHEAD, memories),
  });

  return (
    <div className="flipbook fixed inset-0 flex flex-col overflow-hidden">
      <h1 className="sr-only">Memory Flipbook</h1>
      <ViewerBar onClose={onClose}>
        {actions}
        <BarButton Icon={List} onClick={() => onOtherView(page)}>
          {/* In a low window it would lie over the book. */}
          <span className="short:sr-only">View as list</span>
        </BarButton>
      </ViewerBar>
      <div className="min-h-0 flex-1 px-3 py-1 sm:px-8 short:px-0 short:pt-3">
        <BookStage page={page} total={total} layout={layout}>
          <div
            ref={stageRef}
            role="group"
            aria-roledescription="book"
            aria-label="Memory Flipbook"
            className="relative flex size-full"
          />
        </BookStage>
      </div>
      {engine &&
        layout &&
        pagesFrom(first - PAGES_AHEAD, last + PAGES_AHEAD, total).map((index) =>
          createPortal(
            <Sheet
              page={flipbookPageAt(index, memories)}
              memories={memories}
              memoryAt={memoryAt}
              layout={layout}
              isOpen={index >= spread.first && index <= spread.last}
            />,
            engine.pages[index]!,
            index,
          ),
        )}
      <PageBar
        spread={spread}
        total={total}
        onTurn={(by) => engine?.turn(by)}
        onJump={(page) => engine?.goTo(page)}
      />
      <ReadAloud
        spread={spreadAt(near, total, isWide)}
        total={total}
        memories={memories}
        memoryAt={memoryAt}
      />
    </div>
  );
}

function useTellWhereAtRest(page: number, onPage: (page: number) => void): void {
  const rested = useRested(page);
  const tell = useEffectEvent(onPage);
  useEffect(() => tell(rested), [rested]);
}

/** The memory on a page, or the nearest one. */
function memoryOn(page: number, memories: number): number {
  return Math.min(memories - 1, Math.max(0, Math.floor((page - 1) / 2)));
}

function pagesFrom(first: number, last: number, total: number): number[] {
  const from = Math.max(0, first);
  return Array.from({ length: Math.min(total - 1, last) - from + 1 }, (_, index) => from + index);
}
