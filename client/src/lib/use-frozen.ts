import { replaceEqualDeep } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * Returns a value that lags behind the current one, so that nothing moves under the reader.
 * @param current undefined while loading: the shown value stays
 * @param merge the next value to show
 */
export function useFrozen<Value>(
  current: Value | undefined,
  merge: (shown: Value, current: Value) => Value,
): Value | undefined {
  const [shown, setShown] = useState(current);
  const next =
    current === undefined
      ? shown
      : shown === undefined
        ? current
        : replaceEqualDeep(shown, merge(shown, current));
  if (next !== shown) setShown(next);
  return next;
}

/** Omits new ids before or between the shown ones; those after the last one move nothing. */
export function keepIdsInView(shown: string[], current: string[]): string[] {
  const known = new Set(shown);
  const last = current.findLastIndex((id) => known.has(id));
  return current.filter((id, index) => known.has(id) || index > last);
}
