import { useState } from 'react';
import type { Memory } from '#shared/memory';
import { useInSight } from '../../../lib/use-in-sight.ts';

/**
 * Memories that arrive at the top of a list wait until that is in sight: further down they would push away what is
 * looked at.
 * @param list which one it is; undefined while it is still the one before
 * @returns those to be shown, and the ref of an element at the list's top
 */
export function useHeldArrivals<Memories extends Memory[] | undefined>(
  memories: Memories,
  list: string | undefined,
): [Memories, (element: HTMLElement | null) => void] {
  const [isTopInSight, topRef] = useInSight();
  const [shown, setShown] = useState<{ list: string | undefined; first: string | undefined }>();
  const newest = memories?.[0]?.id;
  const held = memories?.findIndex(({ id }) => id === shown?.first) ?? -1;
  const isAnother = list !== undefined && list !== shown?.list;
  const isAllToShow = isAnother || isTopInSight || held < 0;
  if (list !== undefined && isAllToShow && (isAnother || newest !== shown?.first))
    setShown({ list, first: newest });
  return [isAllToShow || held === 0 ? memories : (memories?.slice(held) as Memories), topRef];
}
