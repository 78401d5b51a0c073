import { flipbookTexts } from '#shared/flipbook';
import { Photo } from '../../../ui/photo.tsx';
import { isMemory, useMemory } from '../../memories/store/memory-store.ts';
import type { BookLayout } from '../engine/book-engine.ts';

interface CoverProps {
  memories: number;
  /** Its photo lies in the cover's window. */
  firstId: string;
  layout: BookLayout;
}

/** Bound in cloth, stamped, with a window for the first photo. */
export function Cover({ memories, firstId, layout }: CoverProps) {
  const first = useMemory(firstId);
  return (
    <div className="book-cloth book-cover">
      <div className="book-stamp">
        <div className="book-window">
          {isMemory(first) ? (
            <Photo
              photo={first}
              // The photo's own page tells of it.
              description=""
              sizes={`${Math.round(layout.pageWidth * 0.6)}px`}
              isEager
              className="size-full"
            />
          ) : (
            <div className="size-full bg-well" />
          )}
        </div>
        <p className="book-title font-display">{flipbookTexts.title}</p>
        <span aria-hidden className="book-rule" />
        <p className="book-line">{flipbookTexts.count(memories)}</p>
        <p className="book-line book-dedication font-display">{flipbookTexts.dedication}</p>
      </div>
    </div>
  );
}
