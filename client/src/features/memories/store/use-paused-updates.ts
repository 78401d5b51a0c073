import { replaceEqualDeep } from '@tanstack/react-query';
import { useState } from 'react';

/** Keeps the previous value while loading, and while an update would shift what the user is reading. */
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
