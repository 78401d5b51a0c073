import type { CSSProperties, ReactNode } from 'react';
import { FLIP_MS, type BookLayout } from '../engine/book-engine.ts';

/** Of the pages' thickness, seen from the side. */
const SHEET_PX = 0.22;

interface BookStageProps {
  page: number;
  total: number;
  layout: BookLayout | null;
  /** The pages. */
  children: ReactNode;
}

/** Where the book lies: in the middle, also while it is closed; with its thickness and its shadow. */
export function BookStage({ page, total, layout, children }: BookStageProps) {
  const isWide = layout?.isWide ?? false;
  const time = { transitionDuration: `${FLIP_MS}ms` };
  const isAtCover = isWide && page === 0;
  const isAtEnd = isWide && page === total - 1;
  const half = (layout?.pageWidth ?? 0) / 2;
  return (
    <div
      className="book-stage"
      style={{ translate: isAtCover ? `${-half}px` : isAtEnd ? `${half}px` : '0', ...time }}
    >
      {layout && (
        <div className="book-block" style={{ width: half * (isWide ? 4 : 2), height: layout.pageHeight }}>
          <div style={{ left: isAtCover ? '50%' : 0, right: isAtEnd ? '50%' : 0, ...time }} />
          {isWide && <span className="book-edge" style={{ right: '100%', ...thickness(page) }} />}
          {isWide && <span className="book-edge" style={{ left: '100%', ...thickness(total - 1 - page) }} />}
        </div>
      )}
      {children}
    </div>
  );
}

function thickness(pages: number): CSSProperties {
  return { width: `${Math.min(12, pages * SHEET_PX)}px` };
}
