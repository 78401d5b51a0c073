import { PawPrint } from 'lucide-react';
import { useCallback, useState } from 'react';
import { type FlipbookPage } from '#shared/album/flipbook';
import { captionSize } from '#shared/album/flipbook-caption';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import type { Memory } from '#shared/album/memory';
import { classNames } from '../../../lib/class-names.ts';
import { toLocalDay } from '../../../lib/dates.ts';
import { squarePhotoSizes } from '../../../lib/image-sources.ts';
import { Photo } from '../../photos/photo.tsx';
import { MemoryImage } from '../../memories/memory-image.tsx';
import { isLoadedMemory, useMemory } from '../../memories/store/memory-store.ts';
import type { BookLayout } from '../engine/book-engine.ts';
import { MissingMemory } from '../missing-memory.tsx';
import { DetailsLine } from '../details-line.tsx';
import { fitPhoto } from './fit-photo.ts';

interface BookPageProps {
  title: string;
  page: FlipbookPage;
  memoryIds: string[];
  layout: BookLayout;
  /** False for pages that are rendered in advance. */
  isOpen: boolean;
}

export function BookPage({ title, page, memoryIds, layout, isOpen }: BookPageProps) {
  const memories = memoryIds.length;
  switch (page.kind) {
    case 'cover':
      return <Cover title={title} memories={memories} firstId={memoryIds[0]!} pageWidth={layout.pageWidth} />;
    case 'photo':
      return <PhotoPage id={memoryIds[page.memory]!} layout={layout} isOpen={isOpen} />;
    case 'caption':
      return <CaptionPage id={memoryIds[page.memory]!} index={page.memory} memories={memories} />;
    case 'end':
      return <EndCover />;
  }
}

interface CoverProps {
  title: string;
  memories: number;
  firstId: string;
  pageWidth: number;
}

function Cover({ title, memories, firstId, pageWidth }: CoverProps) {
  const first = useMemory(firstId);
  return (
    <div className="book-cloth book-cover">
      <div className="book-stamp">
        <div className="book-window">
          {isLoadedMemory(first) ? (
            <Photo
              photo={first}
              // Described on the photo's page.
              description=""
              sizes={squarePhotoSizes(first, Math.round(pageWidth * 0.6))}
              isEager
              className="size-full"
            />
          ) : (
            <div className="size-full bg-well" />
          )}
        </div>
        <p dir="auto" className="book-title line-clamp-3 font-display text-balance wrap-anywhere">
          {title}
        </p>
        <span aria-hidden className="book-rule" />
        <p className="book-line">{flipbookTexts.count(memories)}</p>
        <p className="book-line book-dedication font-display">{flipbookTexts.dedication}</p>
      </div>
    </div>
  );
}

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

function PhotoPage({ id, layout, isOpen }: { id: string; layout: BookLayout; isOpen: boolean }) {
  const memory = useMemory(id);
  return (
    <div className="book-paper grid place-items-center">
      {isLoadedMemory(memory) ? (
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

function CaptionPage({ id, index, memories }: { id: string; index: number; memories: number }) {
  const memory = useMemory(id);
  return (
    <div className="book-paper book-caption-page">
      {isLoadedMemory(memory) ? (
        <CaptionText memory={memory} />
      ) : (
        <div className="book-text">
          {memory === 'loading' && <div className="m-auto h-6 w-2/3 animate-breathe rounded-print bg-well" />}
        </div>
      )}
      <div className="book-foot">
        {isLoadedMemory(memory) && <DetailsLine memory={memory} className="line-clamp-2" />}
        <p className="book-folio tabular-nums">
          <span aria-hidden className="font-display">
            {index + 1}
          </span>
          <span>{flipbookTexts.position(index, memories)}</span>
        </p>
      </div>
    </div>
  );
}

function CaptionText({ memory }: { memory: Memory }) {
  const caption = memory.caption || flipbookTexts.untitled;
  const [textRef, isOverflowing] = useIsOverflowing();
  return (
    <div
      ref={textRef}
      className="book-text"
      // A long caption scrolls within its page, also by keyboard.
      {...(isOverflowing && { tabIndex: 0, role: 'group', 'aria-label': 'Caption' })}
    >
      <p
        dir="auto"
        data-size={captionSize(caption) ?? 'text'}
        className={classNames(
          'book-caption m-auto font-display wrap-anywhere whitespace-pre-line',
          !memory.caption && 'text-muted italic',
        )}
      >
        {caption}
      </p>
    </div>
  );
}

function useIsOverflowing() {
  const [isOverflowing, setOverflowing] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() =>
      setOverflowing(element.scrollHeight > element.clientHeight + 1),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isOverflowing] as const;
}
