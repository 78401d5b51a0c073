import { replaceEqualDeep } from '@tanstack/react-query';
import { useCallback, useState } from 'react';

/**
 * The displayed value, which may stay behind the current one so that content does not move under the reader.
 * @param current undefined while it is loading: the displayed value stays
 */
export function usePausedUpdates<Value>(
  current: Value | undefined,
  merge: (displayed: Value, current: Value) => Value,
): Value | undefined {
  const [displayed, setDisplayed] = useState(current);
  const next =
    current === undefined
      ? displayed
      : displayed === undefined
        ? current
        : replaceEqualDeep(displayed, merge(displayed, current));
  if (next !== displayed) setDisplayed(next);
  return next;
}

/** Leaves out new ids above or between those displayed. Appended ids move nothing. */
export function pausePrepends(displayed: string[], current: string[]): string[] {
  const displayedIds = new Set(displayed);
  const last = current.findLastIndex((id) => displayedIds.has(id));
  return current.filter((id, index) => displayedIds.has(id) || index > last);
}

/** Whether an element is in view; true until it is observed. */
export function useInView(): [boolean, (element: HTMLElement | null) => void] {
  const [isInView, setInView] = useState(true);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => setInView(entries.at(-1)?.isIntersecting ?? true));
    observer.observe(element);
    return () => {
      observer.disconnect();
      setInView(true);
    };
  }, []);
  return [isInView, ref];
}
