import { useState } from 'react';
import type { Memory } from '#shared/memory';
import { useInSight } from '../../../lib/use-in-sight.ts';

/**
 * Memories that arrive at the top of a list wait until that is in sight: further down they would push away what is
 * looked at. One that comes back to its place, out of the trash, is no arrival.
 * @param memories newest first
 * @param list which one it is; undefined while it is still the one before
 * @returns those to be shown, and the ref of an element at the list's top
 */
export function useHeldArrivals<Memories extends Memory[] | undefined>(
  memories: Memories,
  list: string | undefined,
): [Memories, (element: HTMLElement | null) => void] {
  const [isTopInSight, topRef] = useInSight();
  const [shown, setShown] = useState({ list, latest: '' });
  const isAnother = list !== undefined && list !== shown.list;
  const latest = isAnother ? '' : shown.latest;
  const newest = memories?.[0]?.createdAt ?? '';
  const held = memories?.findIndex(({ createdAt }) => createdAt <= latest) ?? -1;
  const isAllToShow = isTopInSight || held <= 0;
  if (list !== undefined && isAllToShow && (isAnother || newest > latest)) setShown({ list, latest: newest });
  return [isAllToShow ? memories : (memories?.slice(held) as Memories), topRef];
}
