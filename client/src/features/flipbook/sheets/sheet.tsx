import { PawPrint } from 'lucide-react';
import { useCallback, useState } from 'react';
import { flipbookTexts, type FlipbookPage } from '#shared/flipbook';
import type { Memory } from '#shared/memory';
import { classNames } from '../../../lib/class-names.ts';
import { toLocalDay } from '../../../lib/dates.ts';
import { whenOf } from '../../../lib/memory-text.ts';
import { Photo } from '../../photos/photo.tsx';
import { MemoryImage } from '../../memories/memory-image.tsx';
import { isMemory, useMemory } from '../../memories/store/memory-store.ts';
import type { BookLayout } from '../engine/book-engine.ts';
import { MissingMemory, TagLine } from '../memory-parts.tsx';
import { fitPhoto } from './fit-photo.ts';

interface SheetProps {
  page: FlipbookPage;
  memoryIds: string[];
  layout: BookLayout;
  /** It is being looked at, not only near. */
  isOpen: boolean;
}

/** What stands on one page of the book. */
export function Sheet({ page, memoryIds, layout, isOpen }: SheetProps) {
  const memories = memoryIds.length;
  switch (page.kind) {
    case 'cover':
      return <Cover memories={memories} firstId={memoryIds[0]!} pageWidth={layout.pageWidth} />;
    case 'photo':
      return <PhotoSheet id={memoryIds[page.memory]!} layout={layout} isOpen={isOpen} />;
    case 'caption':
      return <CaptionSheet id={memoryIds[page.memory]!} place={page.memory} memories={memories} />;
    case 'end':
      return <EndCover />;
  }
}

/** Bound in cloth, stamped, with a window for the first photo. */
function Cover({ memories, firstId, pageWidth }: { memories: number; firstId: string; pageWidth: number }) {
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
              sizes={`${Math.round(pageWidth * 0.6)}px`}
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

/** The back of the book. */
function EndCover() {
  return (
    <div className="book-cloth book-cover">
      <div className="book-stamp">
        <PawPrint className="mb-[4cqw] size-[11cqw] stroke-[1.25]" />
        <p className="book-title font-display">{flipbookTexts.end}</p>
        <span aria-hidden className="book-rule" />
        <p className="book-line">{flipbookTexts.createdOn(toLocalDay(new Date().toISOString()))}</p>
        <p className="book-line book-dedication font-display">{flipbookTexts.madeWith}</p>
      </div>
    </div>
  );
}

/** A print in the middle of its page, whole and upright. */
function PhotoSheet({ id, layout, isOpen }: { id: string; layout: BookLayout; isOpen: boolean }) {
  const memory = useMemory(id);
  return (
    <div className="book-paper grid place-items-center">
      {isMemory(memory) ? (
        <Print memory={memory} layout={layout} isOpen={isOpen} />
      ) : memory === 'loading' ? (
        <div className="h-2/3 w-4/5 animate-breathe rounded-print bg-well" />
      ) : (
        <div className="space-y-3 p-8 text-center text-balance">
          <MissingMemory memory={memory} />
        </div>
      )}
    </div>
  );
}

function Print({ memory, layout, isOpen }: { memory: Memory; layout: BookLayout; isOpen: boolean }) {
  const size = fitPhoto(memory, layout);
  return (
    <div className="book-print">
      <MemoryImage memory={memory} sizes={`${size.width}px`} isEager isFirst={isOpen} style={size} />
    </div>
  );
}

/** A memory's story, across from its photo. */
function CaptionSheet({ id, place, memories }: { id: string; place: number; memories: number }) {
  const memory = useMemory(id);
  return (
    <div className="book-paper book-story">
      <p aria-hidden className="book-number font-display">
        {place + 1}
      </p>
      {isMemory(memory) ? (
        <Story memory={memory} />
      ) : (
        <div className="flex-1 pt-4">
          {memory === 'loading' && (
            <div className="mx-auto h-6 w-2/3 animate-breathe rounded-print bg-well" />
          )}
        </div>
      )}
      <p className="book-folio tabular-nums">{flipbookTexts.place(place, memories)}</p>
    </div>
  );
}

function Story({ memory }: { memory: Memory }) {
  const caption = memory.caption || flipbookTexts.untitled;
  const { length } = [...caption];
  const [textRef, isOverlong] = useIsOverlong();
  return (
    <>
      <div
        ref={textRef}
        className="book-text"
        // A long caption scrolls within its page, also by keyboard.
        {...(isOverlong && { tabIndex: 0, role: 'group', 'aria-label': 'Caption' })}
      >
        <p
          dir="auto"
          className={classNames(
            'm-auto font-display wrap-anywhere whitespace-pre-line',
            !memory.caption && 'text-muted italic',
            sizeFor(length),
          )}
        >
          {caption}
        </p>
      </div>
      <div className="book-facts">
        <TagLine tags={memory.tags} className="line-clamp-2" />
        <p className="tabular-nums">{whenOf(memory)}</p>
      </div>
    </>
  );
}

/** Whether what is in an element is higher than it. */
function useIsOverlong() {
  const [isOverlong, setOverlong] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setOverlong(element.scrollHeight > element.clientHeight + 1));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isOverlong] as const;
}

const LONG = 240;

/** The shorter a text, the larger it can be read. */
function sizeFor(length: number): string {
  if (length <= 60) return 'book-text-large text-balance text-center';
  if (length <= LONG) return 'book-text-middle text-pretty text-center';
  return 'book-text-small text-pretty';
}
