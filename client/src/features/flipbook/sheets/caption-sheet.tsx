import { useCallback, useState } from 'react';
import { flipbookTexts } from '#shared/flipbook';
import type { Memory } from '#shared/memory';
import { classNames } from '../../../lib/class-names.ts';
import { whenOf } from '../../../lib/memory-text.ts';
import { isMemory, useMemory } from '../../memories/store/memory-store.ts';
import { TagLine } from '../tag-line.tsx';

interface CaptionSheetProps {
  id: string;
  place: number;
  memories: number;
}

/** A memory's story, across from its photo. */
export function CaptionSheet({ id, place, memories }: CaptionSheetProps) {
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
        // What is too long for its page scrolls in it: by keyboard too.
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
