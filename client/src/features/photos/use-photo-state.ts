import { useCallback, useEffect, useState } from 'react';

type PhotoState = 'loading' | 'loaded' | 'failed';

/** A photo that was loaded sooner appears without a fade, which would cost frames in a list that scrolls. */
const QUICK_LOAD_MS = 300;

/** An event of the image's URL says that it was loaded in some size: other sizes may load now, too. */
const loads = new EventTarget();

/** The loading state of an image. A failed image is retried on events that make success likely, not on a timer. */
export function usePhotoState(imageUrl: string) {
  const [state, setState] = useState<PhotoState>('loading');
  const [startedAt] = useState(() => performance.now());
  const [isFading, setFading] = useState(false);
  const [placeholder, setPlaceholder] = useState<HTMLElement | null>(null);

  useEffect(() => {
    if (!placeholder) return;
    return retryOnEvents(placeholder, imageUrl, () => setState('loading'));
  }, [placeholder, imageUrl]);

  return {
    state,
    /** Whether the loaded photo fades in. */
    isFading,
    /** For the element that replaces a failed image. */
    placeholderRef: setPlaceholder,
    imageRef: useCallback((image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth > 0) setState('loaded');
    }, []),
    onLoad: () => {
      setState('loaded');
      setFading(performance.now() - startedAt > QUICK_LOAD_MS);
      loads.dispatchEvent(new Event(imageUrl));
    },
    onError: () => setState('failed'),
  };
}

/** Back online, visible or scrolled into view again, or loaded elsewhere. @returns the cleanup */
function retryOnEvents(placeholder: HTMLElement, imageUrl: string, retry: () => void): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  window.addEventListener('online', retry, { signal });
  loads.addEventListener(imageUrl, retry, { signal });
  document.addEventListener('visibilitychange', () => !document.hidden && retry(), { signal });

  let wasOutOfView = false;
  const observer = new IntersectionObserver((entries) => {
    const isInView = entries.at(-1)?.isIntersecting ?? false;
    if (isInView && wasOutOfView) retry();
    wasOutOfView = !isInView;
  });
  observer.observe(placeholder);
  return () => {
    listeners.abort();
    observer.disconnect();
  };
}
