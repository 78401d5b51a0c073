import { useEffect, useLayoutEffect, useRef, type RefObject, type TouchEvent } from 'react';
import type { Memory } from '#shared/album/memory';
import { prefersReducedMotion } from '../../../lib/reduced-motion.ts';
import { MemoryImage } from '../memory-image.tsx';
import { useImageDescription } from '../memory-text.ts';
import type { Direction } from './lightbox-navigation.ts';
import { openPhotoProps } from './photo-transition.ts';

/** Photos are enlarged to at most this factor, since more would be blurry. */
export const MAX_ENLARGEMENT = 2;
const MIN_WIDTH_PX = 280;
const MIN_SWIPE_PX = 50;
const SLIDE_PX = 32;
const SLIDE_MS = 180;

interface PhotoFrameProps {
  memory: Memory;
  /** Its smaller copy, which is loaded already. */
  preview: string | null;
  buttonRef: RefObject<HTMLButtonElement | null>;
  direction: Direction | null;
  onOpen: () => void;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

export function PhotoFrame({
  memory,
  preview,
  buttonRef,
  direction,
  onOpen,
  onPrevious,
  onNext,
}: PhotoFrameProps) {
  const swipe = useSwipe((direction) => (direction === 'left' ? onNext : onPrevious)?.());
  const description = useImageDescription(memory);
  // Scrolls back up if the previous memory's caption was scrolled.
  useEffect(() => {
    buttonRef.current?.scrollIntoView({ block: 'nearest' });
  }, [buttonRef, memory.id]);
  useSlide(buttonRef, memory.id, direction);
  return (
    <div {...swipe} className="flex w-full items-center justify-center">
      <button
        ref={buttonRef}
        type="button"
        {...openPhotoProps}
        aria-haspopup="dialog"
        aria-label={`View ${description} full screen`}
        aria-keyshortcuts="F"
        title="View full screen (F)"
        onClick={onOpen}
        className="block cursor-zoom-in scroll-mt-16 bg-print sm:rounded-print sm:p-2 sm:shadow-print md:scroll-mt-0"
        style={{ width: frameWidth(memory), maxWidth: '100%' }}
      >
        <MemoryImage
          key={memory.id}
          memory={memory}
          preview={preview}
          isEager
          isOriginal={memory.isAnimated}
          sizes={photoSizes(memory)}
          style={{ aspectRatio: aspectRatio(memory) }}
          className="sm:rounded-[2px]"
        />
      </button>
    </div>
  );
}

/** The photo comes from the side to which one turned. */
function useSlide(frame: RefObject<HTMLElement | null>, memoryId: string, direction: Direction | null): void {
  useLayoutEffect(() => {
    if (!direction || prefersReducedMotion()) return;
    const from = direction === 'next' ? SLIDE_PX : -SLIDE_PX;
    const slide = frame.current?.animate(
      { opacity: [0, 1], transform: [`translateX(${from}px)`, 'none'] },
      { duration: SLIDE_MS, easing: 'ease-out' },
    );
    return () => slide?.cancel();
  }, [frame, memoryId, direction]);
}

/** Horizontal swipes with one finger; two fingers zoom. */
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

/** The `sizes` of the photo, derived from the dialog's layout. */
export function photoSizes(memory: Memory): string {
  const byHeight = (reserved: string) => `calc((100vh - ${reserved}) * ${aspectRatio(memory).toFixed(3)})`;
  const max = maxWidth(memory);
  const wide = `min(calc(100vw - 29.5rem), ${byHeight('7rem')}, ${max})`;
  return `(min-width: 768px) ${wide}, min(100vw, ${byHeight('13rem')}, ${max})`;
}

function frameWidth(memory: Memory): string {
  return `min(var(--photo-height) * ${aspectRatio(memory)}, ${maxWidth(memory)})`;
}

function maxWidth({ width }: Memory): string {
  return width ? `${Math.max(MIN_WIDTH_PX, MAX_ENLARGEMENT * width)}px` : '100vw';
}

function aspectRatio({ width, height }: Memory): number {
  return width && height ? width / height : 1;
}
