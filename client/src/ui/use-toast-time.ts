import { useEffect, useEffectEvent } from 'react';
import { notificationRegion } from './notification-region.ts';

/**
 * Takes a notice away when its time is up. That stands still while someone points at it, has the focus among the
 * notices or looks at another window, and then begins anew.
 */
export function useToastTime(durationMs: number, onEnd: () => void): void {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const region = notificationRegion();
    const listening = new AbortController();
    const { signal } = listening;
    let isPointedAt = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const begin = () => {
      clearTimeout(timer);
      const isHeld = isPointedAt || region?.contains(document.activeElement) || !document.hasFocus();
      if (!isHeld) timer = setTimeout(end, durationMs);
    };
    const point = ({ type }: Event) => {
      const wasPointedAt = isPointedAt;
      isPointedAt = type === 'pointermove';
      if (isPointedAt !== wasPointedAt) begin();
    };
    for (const type of ['pointermove', 'pointerleave']) region?.addEventListener(type, point, { signal });
    for (const type of ['focusin', 'focusout']) region?.addEventListener(type, begin, { signal });
    for (const type of ['focus', 'blur']) window.addEventListener(type, begin, { signal });
    document.addEventListener('visibilitychange', begin, { signal });
    begin();
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [durationMs]);
}
