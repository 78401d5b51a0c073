import { List } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { countFlipbookPages, flipbookPageAt } from '#shared/flipbook';
import { usePrefetchedMemories } from '../flipbook-api.ts';
import { BookEngine, type BookLayout } from '../engine/book-engine.ts';
import { turnByHand } from '../engine/pointer-controls.ts';
import { Sheet } from '../pages/book-page.tsx';
import { spreadAt } from '../spreads.ts';
import { PageBar, ReadAloud } from './page-bar.tsx';
import { BarButton, useBookKeys, ViewerBar, type BookViewProps } from './viewer-bar.tsx';

/** A browser allows only so many changes of the address in a while. */
const REST_MS = 250;
/** Pages before and after the open ones that have their contents already: two turns' worth, photos fetched. */
const PAGES_AHEAD = 4;

/** The book lying open, to be leafed through. */
export function OpenBook({ memoryIds, startPage, onPage, onOtherView, onClose, actions }: BookViewProps) {
  const [beginning] = useState(startPage);
  const memories = memoryIds.length;
  const total = countFlipbookPages(memories);
  const { stageRef, engine, layout, page, shown } = useBookEngine(total, beginning);
  const isWide = layout?.isWide ?? false;
  const spread = spreadAt(page, total, isWide);
  const restedPage = useRested(page);
  const tellPage = useEffectEvent(onPage);
  useEffect(() => tellPage(restedPage), [restedPage]);
  useBookKeys({
    onTurn: (by) => engine?.turn(by),
    onFirst: () => engine?.goTo(0),
    onLast: () => engine?.goTo(total - 1),
    onClose,
  });

  // Memories are fetched where someone stops, not wherever they race past.
  const near = spreadAt(
    useRested(page, (one, other) => Math.abs(one - other) <= PAGES_AHEAD),
    total,
    isWide,
  );
  usePrefetchedMemories(
    memoryIds,
    memoryOn(near.first - PAGES_AHEAD, memories),
    memoryOn(near.last + PAGES_AHEAD, memories),
  );
  const filled = new Set([
    ...pagesFrom(spread.first - PAGES_AHEAD, spread.last + PAGES_AHEAD, total),
    ...shown,
  ]);

  return (
    <div className="flipbook fixed inset-0 flex flex-col overflow-hidden select-none">
      <h1 className="sr-only">Memory Flipbook</h1>
      <ViewerBar onClose={onClose}>
        {actions}
        <BarButton Icon={List} onClick={() => onOtherView(page)}>
          {/* In a low window it would lie over the book. */}
          <span className="short:sr-only">View as list</span>
        </BarButton>
      </ViewerBar>
      <div className="min-h-0 flex-1 px-3 py-1 sm:px-8 short:px-0 short:pt-3">
        <div
          ref={stageRef}
          role="group"
          aria-roledescription="book"
          aria-label="Memory Flipbook"
          className="book-stage flex size-full"
        />
      </div>
      {engine &&
        layout &&
        [...filled].map((index) =>
          createPortal(
            <Sheet
              page={flipbookPageAt(index, memories)}
              memoryIds={memoryIds}
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
      <ReadAloud spread={near} total={total} memoryIds={memoryIds} />
    </div>
  );
}

/** Binds a book into the element that the ref is given to, for as long as that is there. */
function useBookEngine(total: number, startPage: number) {
  const [engine, setEngine] = useState<BookEngine | null>(null);
  const [layout, setLayout] = useState<BookLayout | null>(null);
  /** The page that is read, or that a turn on its way leads to; the left one of two. */
  const [page, setPage] = useState(startPage);
  /** The pages in sight, those of turning leaves included. */
  const [shown, setShown] = useState<number[]>([]);

  const stageRef = useCallback(
    (stage: HTMLElement | null) => {
      if (!stage) return undefined;
      const stillness = window.matchMedia('(prefers-reduced-motion: reduce)');
      const isStill = () => stillness.matches;
      const engine = new BookEngine({
        stage,
        total,
        startPage,
        onTurn: setPage,
        onShow: setShown,
        onLayout: setLayout,
        isStill,
      });
      const hand = new AbortController();
      turnByHand(engine, isStill, hand.signal);
      setEngine(engine);
      return () => {
        hand.abort();
        engine.destroy();
        setEngine(null);
      };
    },
    [total, startPage],
  );
  return { stageRef, engine, layout, page, shown };
}

/** The memory on a page, or the nearest one. */
function memoryOn(page: number, memories: number): number {
  return Math.min(memories - 1, Math.max(0, Math.floor((page - 1) / 2)));
}

function pagesFrom(first: number, last: number, total: number): number[] {
  const from = Math.max(0, first);
  return Array.from({ length: Math.min(total - 1, last) - from + 1 }, (_, index) => from + index);
}

/** The debounced value. */
function useRested<Value>(value: Value, isNear: (one: Value, other: Value) => boolean = () => false): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return isNear(value, rested) ? value : rested;
}
