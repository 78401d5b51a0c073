import { X, ZoomIn, ZoomOut } from 'lucide-react';
import PhotoSwipe, { type PhotoSwipeOptions, type SlideData } from 'photoswipe';
import * as RadixDialog from 'radix-ui/dialog';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IMAGE_NOT_FOUND, type Memory } from '#shared/album/memory';
import { IMAGE_WIDTHS } from '#shared/photos/image-widths';
import { classNames } from '../../../lib/class-names.ts';
import { closedByEscape } from '../../../ui/dialogs/dialog.tsx';
import { returnFocus } from '../../../ui/focus.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { toImageSources } from '../../../lib/image-sources.ts';
import { imageDescription, useImageDescription } from '../memory-text.ts';
import { MAX_ENLARGEMENT } from './photo-frame.tsx';
import { PreviousNextButtons } from './previous-next-buttons.tsx';
import type { MemoryDialogProps } from './use-memory-dialog.ts';

const DOUBLE_CLICK_MS = 400;
const DEFAULT_SIZE_PX = 1200;
/** From this width on the arrows are beside the photo. */
const WIDE_SCREEN_PX = 640;

export function Lightbox({ isOpen, onClose, ...props }: MemoryDialogProps) {
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={returnFocus}
          className="lightbox fixed inset-0 z-40 overflow-hidden bg-paper text-ink outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
        >
          <Stage {...props} onClose={onClose} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

type ZoomLevel = Parameters<
  Extract<PhotoSwipeOptions['initialZoomLevel'], (...never: never[]) => unknown>
>[0];

type StageProps = Omit<MemoryDialogProps, 'isOpen'>;

function Stage({ onClose, ...props }: StageProps) {
  const { memory, onPrevious, onNext } = props;
  const description = useImageDescription(memory);
  const { stage, isZoomed, swiper } = usePhotoSwipe({ ...props, description, onClose });
  return (
    <>
      <div ref={stage} className="absolute inset-0" />
      <header className="pointer-events-none absolute inset-x-0 top-0 flex h-14 items-center gap-2 pr-2 pl-5">
        <RadixDialog.Title
          dir="auto"
          className={classNames(
            'min-w-0 flex-1 truncate font-display text-body font-medium transition-opacity duration-150',
            isZoomed && 'opacity-0',
          )}
        >
          {description}
        </RadixDialog.Title>
        <IconButton
          name={isZoomed ? 'Zoom out' : 'Zoom in'}
          aria-keyshortcuts="Z"
          tone="overlay"
          onClick={() => swiper.current?.toggleZoom()}
        >
          {isZoomed ? <ZoomOut /> : <ZoomIn />}
        </IconButton>
        <RadixDialog.Close {...closedByEscape} asChild>
          <IconButton name="Close full screen" tone="overlay">
            <X />
          </IconButton>
        </RadixDialog.Close>
      </header>
      <PreviousNextButtons
        noun="photo"
        onPrevious={onPrevious && (() => swiper.current?.prev())}
        onNext={onNext && (() => swiper.current?.next())}
        tone="overlay"
        className="pointer-events-none absolute inset-x-2 bottom-2 flex items-center justify-between pb-[env(safe-area-inset-bottom)] sm:inset-y-0"
      />
      <p role="status" className="sr-only">
        {description}
      </p>
    </>
  );
}

/** Slide indexes are relative to the open memory: only its neighbors are loaded, and the list may change before it. */
function usePhotoSwipe({
  memory,
  description,
  previous,
  next,
  index,
  ...on
}: StageProps & { description: string }) {
  const stage = useRef<HTMLDivElement>(null);
  const swiper = useRef<PhotoSwipe>(null);
  const openIndex = useRef(index);
  /** Differs from `openIndex` while the next memory is loading. */
  const requestedIndex = useRef(index);
  /** Slides whose photo failed to load. */
  const failed = useRef(new Set<number>());
  const [isZoomed, setZoomed] = useState(false);

  const countSlides = useEffectEvent(() => openIndex.current + (next === null ? 1 : 2));
  const slideAt = useEffectEvent((index: number): SlideData => {
    const steps = index - openIndex.current;
    if (steps === 0) return toSlide(memory, description);
    const neighbor = steps === 1 ? next : steps === -1 ? previous : null;
    return neighbor ? toSlide(neighbor, imageDescription(neighbor)) : NOT_LOADED;
  });
  const follow = useEffectEvent((index: number) => {
    requestedIndex.current = index;
    // Synchronous, so that the next key press starts from the new memory.
    flushSync(() => {
      if (index === openIndex.current + 1) on.onNext?.();
      if (index === openIndex.current - 1) on.onPrevious?.();
    });
  });
  const close = useEffectEvent(() => on.onClose());

  useEffect(() => {
    const photoSwipe = new PhotoSwipe({ ...OPTIONS, appendToEl: stage.current!, index: openIndex.current });
    const openedAt = performance.now();
    let lastClick = 0;
    let isUnmounting = false;
    photoSwipe.addFilter('numItems', () => countSlides());
    photoSwipe.addFilter('itemData', (_, index) => slideAt(index));
    photoSwipe.on('change', () => follow(photoSwipe.currIndex));
    photoSwipe.on('loadError', ({ content }) => void failed.current.add(content.index));
    photoSwipe.on('close', () => !isUnmounting && close());
    // A double click zooms once; the second click of one that opened the lightbox does not close it.
    photoSwipe.on('imageClickAction', (event) => {
      const { timeStamp } = event.originalEvent;
      if (timeStamp - lastClick < DOUBLE_CLICK_MS) event.preventDefault();
      lastClick = timeStamp;
    });
    photoSwipe.on('bgClickAction', (event) => {
      if (event.originalEvent.timeStamp - openedAt < DOUBLE_CLICK_MS) event.preventDefault();
    });
    photoSwipe.on('zoomPanUpdate', ({ slide }) =>
      setZoomed(slide.currZoomLevel > slide.zoomLevels.initial * 1.01),
    );
    // The dialog traps the focus.
    photoSwipe.on('keydown', (event) => event.originalEvent.key === 'Tab' && event.preventDefault());
    photoSwipe.init();
    photoSwipe.element?.removeAttribute('role');
    swiper.current = photoSwipe;
    return () => {
      isUnmounting = true;
      photoSwipe.destroy();
    };
  }, []);

  useEffect(() => {
    openIndex.current = requestedIndex.current;
  }, [memory.id]);

  const show = useEffectEvent(() => {
    if (swiper.current) showSlides(swiper.current, openIndex.current, failed.current, slideAt);
  });
  useEffect(() => show(), [memory.id, previous?.id, next?.id]);
  useEffect(() => {
    const retry = () => show();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, []);

  useEffect(() => {
    // The requested memory could not be loaded.
    if (on.isNavigating || requestedIndex.current === openIndex.current) return;
    requestedIndex.current = openIndex.current;
    swiper.current?.goTo(openIndex.current);
  }, [on.isNavigating]);

  return { stage, swiper, isZoomed };
}

/** Rebuilds slides that were created before their memory loaded, or whose photo failed to load. */
function showSlides(
  photoSwipe: PhotoSwipe,
  openIndex: number,
  failed: Set<number>,
  slideAt: (index: number) => SlideData,
): void {
  const slides = photoSwipe.mainScroll.itemHolders.map(({ slide }) => slide);
  for (const index of [openIndex - 1, openIndex, openIndex + 1]) {
    const { memoryId, src } = slideAt(index);
    const slide = slides.find((slide) => slide?.index === index);
    const isCurrent = slide?.data['memoryId'] === memoryId && slide?.data.src === src;
    if (!isCurrent || failed.delete(index)) photoSwipe.refreshSlideContent(index);
  }
}

const NOT_LOADED: SlideData = { html: '<p class="lightbox-loading">Loading...</p>', memoryId: '' };

/** Zooming in loads wider variants, then the original. Animated photos are shown as the original. */
function toSlide(memory: Memory, alt: string): SlideData {
  const { id: memoryId, imageUrl, isAnimated } = memory;
  const { src, srcSet } = toImageSources(imageUrl);
  const width = memory.width ?? DEFAULT_SIZE_PX;
  const height = memory.height ?? DEFAULT_SIZE_PX;
  const slide = { memoryId, alt, width, height };
  if (isAnimated) return { ...slide, src: imageUrl };
  const isWiderThanVariants = width > Math.max(...IMAGE_WIDTHS);
  return { ...slide, src, srcset: isWiderThanVariants ? `${srcSet}, ${imageUrl} ${width}w` : srcSet };
}

function zoomToFit({ panAreaSize, elementSize }: ZoomLevel): number {
  if (!panAreaSize || !elementSize) return 1;
  return Math.min(panAreaSize.x / elementSize.x, panAreaSize.y / elementSize.y);
}

const OPTIONS = {
  loop: false,
  wheelToZoom: true,
  // The dialog handles Escape and the focus, and has its own buttons.
  escKey: false,
  trapFocus: false,
  returnFocus: false,
  arrowPrev: false,
  arrowNext: false,
  close: false,
  zoom: false,
  counter: false,
  showHideAnimationType: 'none',
  errorMsg: IMAGE_NOT_FOUND,
  imageClickAction: 'zoom',
  tapAction: () => {},
  paddingFn: ({ x }) =>
    x < WIDE_SCREEN_PX
      ? { top: 56, bottom: 60, left: 0, right: 0 }
      : { top: 56, bottom: 24, left: 60, right: 60 },
  initialZoomLevel: (zoom) => Math.min(MAX_ENLARGEMENT, zoomToFit(zoom)),
  secondaryZoomLevel: (zoom) => 2.5 * zoomToFit(zoom),
  maxZoomLevel: (zoom) => Math.max(2, 6 * zoomToFit(zoom)),
} satisfies PhotoSwipeOptions;
