import { useCallback, useEffect, useState } from 'react';

type PhotoState = 'loading' | 'loaded' | 'failed';

/** Tells by address which pictures have come: another size of the same may come now too. */
const arrivals = new EventTarget();

/** How far a picture has come. One that failed is asked for again when it may be had, and never by itself. */
export function usePhotoState(imageUrl: string) {
  const [state, setState] = useState<PhotoState>('loading');
  const [placeholder, setPlaceholder] = useState<HTMLElement | null>(null);

  useEffect(() => {
    if (!placeholder) return;
    return whenItMayBeHad(placeholder, imageUrl, () => setState('loading'));
  }, [placeholder, imageUrl]);

  return {
    state,
    /** Whatever stands in place of a picture that failed. */
    placeholderRef: setPlaceholder,
    imageRef: useCallback((image: HTMLImageElement | null) => {
      if (image?.complete && image.naturalWidth > 0) setState('loaded');
    }, []),
    onLoad: () => {
      setState('loaded');
      arrivals.dispatchEvent(new Event(imageUrl));
    },
    onError: () => setState('failed'),
  };
}

/** The network is back, somebody looks here again, or it was seen elsewhere. @returns what ends the waiting */
function whenItMayBeHad(placeholder: HTMLElement, imageUrl: string, retry: () => void): () => void {
  const waiting = new AbortController();
  const { signal } = waiting;
  window.addEventListener('online', retry, { signal });
  arrivals.addEventListener(imageUrl, retry, { signal });
  document.addEventListener('visibilitychange', () => !document.hidden && retry(), { signal });

  let wasOutOfSight = false;
  const sight = new IntersectionObserver((entries) => {
    const isInSight = entries.at(-1)?.isIntersecting ?? false;
    if (isInSight && wasOutOfSight) retry();
    wasOutOfSight = !isInSight;
  });
  sight.observe(placeholder);
  return () => {
    waiting.abort();
    sight.disconnect();
  };
}
