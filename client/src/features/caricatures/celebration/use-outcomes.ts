import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Caricature } from '#shared/caricature';
import { showToast } from '../../../ui/toast-store.ts';
import { refreshCaricatures } from '../caricature-api.ts';
import { failureInNotice } from '../failure-words.ts';
import { awaitCaricatures, awaitNoMore, useAwaitedCaricatures } from './awaited-caricatures.ts';
import { outcomesOf } from './outcomes.ts';
import type { useCelebration } from './use-celebration.ts';

interface OutcomesOptions {
  /** Those in sight; undefined until they are known. */
  caricatures: Caricature[] | undefined;
  celebration: ReturnType<typeof useCelebration>;
  /** Another dialog is open. */
  isHeld: boolean;
}

/**
 * Celebrates what was seen being drawn as soon as it is finished and no other dialog is open, and says why there is
 * none where it failed. @returns the caricature in the dialog as it is now
 */
export function useOutcomes({ caricatures, celebration, isHeld }: OutcomesOptions): Caricature | null {
  const { shown, celebrate, close } = celebration;
  const queryClient = useQueryClient();
  const awaited = useAwaitedCaricatures();
  const { completed, failed } = outcomesOf(awaited, caricatures ?? []);
  const current = shown && (caricatures?.find(({ id }) => id === shown.caricature.id) ?? null);
  const next = completed[0];

  if (shown?.isOpen) {
    // Failed, or deleted elsewhere.
    if (caricatures && current?.status !== 'generating' && current?.status !== 'completed') close();
  } else if (next && !isHeld) {
    celebrate(next);
  }

  const settle = useEffectEvent(() => {
    awaitCaricatures((caricatures ?? []).filter(isGenerating).map(({ id }) => id));
    const seen = shown?.isOpen ? completed.filter(({ id }) => id === shown.caricature.id) : [];
    for (const each of failed)
      showToast({ title: 'Generation Failed', description: failureInNotice(each), variant: 'destructive' });
    const settled = [...seen, ...failed].map(({ id }) => id);
    if (settled.length === 0) return;
    awaitNoMore(settled);
    void refreshCaricatures(queryClient);
  });
  useEffect(() => settle(), [caricatures, awaited, shown]);

  return current ?? shown?.caricature ?? null;
}

function isGenerating({ status }: Caricature): boolean {
  return status === 'generating';
}
