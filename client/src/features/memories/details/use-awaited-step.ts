import { useEffect, useEffectEvent } from 'react';
import { isLostSession } from '../../../lib/lost-session.ts';
import { showToast } from '../../../ui/toast-store.ts';
import type { WalkedList } from './memory-walk.ts';

interface AwaitedStepOptions {
  onArrive: (place: number) => void;
  onFailed: () => void;
}

/** A step to a place that was not loaded is taken as soon as it is; that it can't be is said. */
export function useAwaitedStep(
  list: WalkedList,
  awaited: number | null,
  { onArrive, onFailed }: AwaitedStepOptions,
): void {
  const hasArrived = awaited !== null && list.at(awaited) !== undefined;
  const arrive = useEffectEvent(() => awaited !== null && onArrive(awaited));
  useEffect(() => {
    if (hasArrived) arrive();
  }, [hasArrived]);

  const hasFailed = list.failure !== null;
  const giveUp = useEffectEvent(() => {
    if (awaited === null) return;
    onFailed();
    // A lost session has its own notice.
    if (!isLostSession(list.failure)) showToast(NOT_LOADED);
  });
  useEffect(() => {
    if (hasFailed) giveUp();
  }, [hasFailed]);
}

const NOT_LOADED = {
  title: 'Failed to load memories',
  description: 'Please check your connection and try again.',
  variant: 'destructive' as const,
};
