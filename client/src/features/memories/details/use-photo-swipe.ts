import PhotoSwipe, { type PhotoSwipeOptions, type SlideData } from 'photoswipe';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IMAGE_NOT_FOUND, type Memory } from '#shared/album/memory';
import { IMAGE_WIDTHS } from '#shared/photos/image-widths';
import { toImageSources } from '../../../lib/image-sources.ts';
import { imageDescription } from '../memory-text.ts';
import { LIGHTBOX_SHORTCUTS, leaveTabToDialog } from './lightbox-shortcuts.ts';
import { MAX_ENLARGEMENT } from './photo-frame.tsx';
import type { MemoryDialogProps } from './use-memory-dialog.ts';

const DOUBLE_CLICK_MS = 400;
const DEFAULT_SIZE_PX = 1200;
/** From this width on the arrows are beside the photo. */
const WIDE_SCREEN_PX = 640;

type ZoomLevel = Parameters<
  Extract<PhotoSwipeOptions['initialZoomLevel'], (...never: never[]) => unknown>
>[0];

type PhotoSwipeProps = Omit<MemoryDialogProps, 'isOpen'> & { description: string };

/** Slide indexes are relative to the open memory: only its neighbors are loaded, and the list may change before it. */
export function usePhotoSwipe({ memory, description, previous, next, index, ...on }: PhotoSwipeProps) {
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
    leaveTabToDialog(photoSwipe);
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
  ...LIGHTBOX_SHORTCUTS,
  // The dialog has its own buttons.
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
