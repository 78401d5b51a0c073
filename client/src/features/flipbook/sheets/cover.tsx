import { flipbookTexts } from '#shared/flipbook';
import { Photo } from '../../../ui/photo.tsx';
import type { SoughtMemory } from '../../memories/memories-by-id-api.ts';
import type { BookLayout } from '../engine/book-engine.ts';
import { isMemory } from '../is-memory.ts';

interface CoverProps {
  memories: number;
  /** Its photo lies in the cover's window. */
  first: SoughtMemory;
  layout: BookLayout;
}

/** Bound in cloth, stamped, with a window for the first photo. */
export function Cover({ memories, first, layout }: CoverProps) {
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
