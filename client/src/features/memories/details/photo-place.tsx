import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject, type TouchEvent } from 'react';
import type { Memory } from '#shared/memory';
import { apiContentType } from '../../../lib/api-client.ts';
import { MemoryImage } from '../memory-image.tsx';
import { useImageDescription } from '../use-image-description.ts';

/** Nothing is shown larger than this beside its own size: it would be a blur. */
export const MAX_ENLARGEMENT = 2;
const MIN_WIDTH_PX = 280;
const MIN_SWIPE_PX = 50;

interface PhotoPlaceProps {
  memory: Memory;
  buttonRef: RefObject<HTMLButtonElement | null>;
  onOpen: () => void;
  /** Null where there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** The photo, uncut, as large as there is room; pressing it shows it alone. */
export function PhotoPlace({ memory, buttonRef, onOpen, onPrevious, onNext }: PhotoPlaceProps) {
  const swipe = useSwipe((direction) => (direction === 'left' ? onNext : onPrevious)?.());
  const isAnimated = useIsAnimated(memory);
  const description = useImageDescription(memory);
  const aspect = shapeOf(memory);
  // After reading down a long caption the next photo comes first.
  useEffect(() => {
    buttonRef.current?.scrollIntoView({ block: 'nearest' });
  }, [buttonRef, memory.id]);
  return (
    <div {...swipe} className="flex w-full items-center justify-center">
      <button
        ref={buttonRef}
        type="button"
        aria-haspopup="dialog"
        aria-label={`View ${description} full screen`}
        aria-keyshortcuts="F"
        title="View full screen (F)"
        onClick={onOpen}
        className="block cursor-zoom-in scroll-mt-16 rounded-print bg-print p-2 shadow-print md:scroll-mt-0"
        style={{ width: frameWidth(memory), maxWidth: '100%' }}
      >
        <MemoryImage
          key={memory.id}
          memory={memory}
          isEager
          isOriginal={isAnimated === true}
          sizes={photoSizes(memory)}
          style={{ aspectRatio: aspect }}
          className="rounded-[2px]"
        />
      </button>
    </div>
  );
}

/** A swipe sideways, rather than up or down; two fingers zoom. */
function useSwipe(onSwipe: (direction: 'left' | 'right') => void) {
  const start = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      start.current = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0];
      if (!touch || !start.current) return;
      const x = touch.clientX - start.current.x;
      const y = touch.clientY - start.current.y;
      start.current = null;
      if (Math.abs(x) >= MIN_SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 'left' : 'right');
    },
  };
}

/** How wide the photo is on the screen, as in `<img sizes>`: what the classes of the dialog leave it. */
export function photoSizes(memory: Memory): string {
  const byHeight = (room: string) => `calc((100vh - ${room}) * ${shapeOf(memory).toFixed(3)})`;
  const most = maxWidth(memory);
  const wide = `min(calc(100vw - 29.5rem), ${byHeight('7rem')}, ${most})`;
  return `(min-width: 768px) ${wide}, min(95vw, ${byHeight('13rem')}, ${most})`;
}

function frameWidth(memory: Memory): string {
  return `min(var(--photo-height) * ${shapeOf(memory)}, ${maxWidth(memory)})`;
}

function maxWidth({ width }: Memory): string {
  return width ? `${Math.max(MIN_WIDTH_PX, MAX_ENLARGEMENT * width)}px` : '100vw';
}

/** Width by height. */
function shapeOf({ width, height }: Memory): number {
  return width && height ? width / height : 1;
}

/** Whether the original of a picture moves, as only a GIF's does. Asked when someone looks at it closely. */
export function useIsAnimated({ imageUrl }: Memory): boolean | undefined {
  const { data, isError } = useQuery({
    queryKey: [imageUrl, 'type'],
    // Of the file as it came: nothing needs to be decoded for that.
    queryFn: ({ signal }) => apiContentType(`${imageUrl}/original`, signal),
    staleTime: Infinity,
  });
  return isError ? false : data === undefined ? undefined : data === 'image/gif';
}
