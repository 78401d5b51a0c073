import { useCallback, useState } from 'react';
import { BookEngine, type BookLayout } from './book-engine.ts';
import { turnByHand } from './turn-by-hand.ts';

/** Binds a book into the element that the ref is given to, for as long as that is there. */
export function useBookEngine({ total, startPage }: { total: number; startPage: number }) {
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
