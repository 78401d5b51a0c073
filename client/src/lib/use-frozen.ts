import { replaceEqualDeep } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * The value that is shown, which may stay behind the current one so that nothing moves under the reader.
 * @param current undefined while it is not known: what is shown stays
 * @param merge what of the current value may be shown after what is shown now
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

/** Leaves out what came in above or between the ids that are shown; what comes after the last of them moves nothing. */
export function keepIdsInView(shown: string[], current: string[]): string[] {
  const known = new Set(shown);
  const last = current.findLastIndex((id) => known.has(id));
  return current.filter((id, index) => known.has(id) || index > last);
}
