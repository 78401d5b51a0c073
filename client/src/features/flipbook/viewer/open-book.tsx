import { List } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { countFlipbookPages, flipbookPageAt } from '#shared/album/flipbook';
import { PAGE_ATTRIBUTE } from '../../../ui/toasts/toast-position.ts';
import { usePrefetchedMemories } from '../flipbook-store.ts';
import { BookEngine, type BookLayout } from '../engine/book-engine.ts';
import { addPointerControls } from '../engine/pointer-controls.ts';
import { BookPage } from '../pages/book-page.tsx';
import { spreadAt, type Spread } from '../spreads.ts';
import { PageAnnouncement, PageBar } from './page-bar.tsx';
import { BarButton, useBookKeys, ViewerBar, type BookViewProps } from './viewer-bar.tsx';

/** Browsers limit how often the URL may change. */
const DEBOUNCE_MS = 250;
/** Rendered before and after the open pages, so that two turns find their photos loaded. */
const PAGES_AHEAD = 4;

export function OpenBook({ title, memoryIds, startPage, onPage, ...bar }: BookViewProps) {
  const [initialPage] = useState(startPage);
  const total = countFlipbookPages(memoryIds.length);
  const { stageRef, engine, layout, page, visiblePages } = useBookEngine(total, initialPage);
  const isWide = layout?.isWide ?? false;
  const spread = spreadAt(page, total, isWide);
  const debouncedPage = useDebounced(page);
  const reportPage = useEffectEvent(onPage);
  useEffect(() => reportPage(debouncedPage), [debouncedPage]);
  useBookKeys({
    onTurn: (direction) => engine?.turn(direction),
    onFirst: () => engine?.goTo(0),
    onLast: () => engine?.goTo(total - 1),
    onClose: bar.onClose,
  });
  // Debounced, so that no memories are fetched while leafing quickly through the book.
  const debouncedSpread = spreadAt(
    useDebounced(page, (one, other) => Math.abs(one - other) <= PAGES_AHEAD),
    total,
    isWide,
  );
  usePrefetchedSpreads(memoryIds, debouncedSpread);

  return (
    <div className="flipbook fixed inset-0 flex flex-col overflow-hidden select-none">
      <h1 className="sr-only">{title}</h1>
      <ViewerBar onClose={bar.onClose}>
        {bar.actions}
        <BarButton Icon={List} onClick={() => bar.onSwitchView(page)}>
          {/* In a low window the text would cover the book. */}
          <span className="short:sr-only">View as list</span>
        </BarButton>
      </ViewerBar>
      <div className="min-h-0 flex-1 px-3 py-1 sm:px-8 short:px-0 short:pt-3">
        <div
          ref={stageRef}
          role="group"
          aria-roledescription="book"
          aria-label={title}
          className="book-stage flex size-full"
        />
      </div>
      {engine && layout && (
        <RenderedPages
          title={title}
          memoryIds={memoryIds}
          engine={engine}
          layout={layout}
          spread={spread}
          visiblePages={visiblePages}
        />
      )}
      <PageBar
        spread={spread}
        total={total}
        onTurn={(direction) => engine?.turn(direction)}
        onJump={(page) => engine?.goTo(page)}
      />
      <PageAnnouncement title={title} spread={debouncedSpread} total={total} memoryIds={memoryIds} />
    </div>
  );
}

interface RenderedPagesProps extends Pick<BookViewProps, 'title' | 'memoryIds'> {
  engine: BookEngine;
  layout: BookLayout;
  spread: Spread;
  visiblePages: number[];
}

/** In the engine's leaves. */
function RenderedPages({ title, memoryIds, engine, layout, spread, visiblePages }: RenderedPagesProps) {
  const { first, last } = spread;
  useEffect(() => {
    for (const [index, page] of engine.pages.entries())
      page.toggleAttribute(PAGE_ATTRIBUTE, index >= first && index <= last);
  }, [engine, first, last]);
  const rendered = new Set([
    ...pageRange(first - PAGES_AHEAD, last + PAGES_AHEAD, engine.pages.length),
    ...visiblePages,
  ]);
  return [...rendered].map((index) =>
    createPortal(
      <BookPage
        title={title}
        page={flipbookPageAt(index, memoryIds.length)}
        memoryIds={memoryIds}
        layout={layout}
        isOpen={index >= first && index <= last}
      />,
      engine.pages[index]!,
      index,
    ),
  );
}

function usePrefetchedSpreads(memoryIds: string[], { first, last }: Spread): void {
  const memories = memoryIds.length;
  usePrefetchedMemories(
    memoryIds,
    memoryIndexAt(first - PAGES_AHEAD, memories),
    memoryIndexAt(last + PAGES_AHEAD, memories),
  );
}

function useBookEngine(total: number, startPage: number) {
  const [engine, setEngine] = useState<BookEngine | null>(null);
  const [layout, setLayout] = useState<BookLayout | null>(null);
  /** The open page, or the target of a turn in motion; the left one of two. */
  const [page, setPage] = useState(startPage);
  /** Includes the pages of turning leaves. */
  const [visiblePages, setVisiblePages] = useState<number[]>([]);

  const stageRef = useCallback(
    (stage: HTMLElement | null) => {
      if (!stage) return undefined;
      const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
      const isMotionReduced = () => reducedMotion.matches;
      const engine = new BookEngine({
        stage,
        total,
        startPage,
        onTurn: setPage,
        onVisiblePages: setVisiblePages,
        onLayout: setLayout,
        isMotionReduced,
      });
      const listeners = new AbortController();
      addPointerControls(engine, isMotionReduced, listeners.signal);
      setEngine(engine);
      return () => {
        listeners.abort();
        engine.destroy();
        setEngine(null);
      };
    },
    [total, startPage],
  );
  return { stageRef, engine, layout, page, visiblePages };
}

function memoryIndexAt(page: number, memories: number): number {
  return Math.min(memories - 1, Math.max(0, Math.floor((page - 1) / 2)));
}

function pageRange(first: number, last: number, total: number): number[] {
  const start = Math.max(0, first);
  return Array.from({ length: Math.min(total - 1, last) - start + 1 }, (_, index) => start + index);
}

/** @param isNear near values skip the delay */
function useDebounced<Value>(
  value: Value,
  isNear: (one: Value, other: Value) => boolean = () => false,
): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return isNear(value, debounced) ? value : debounced;
}
