import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type Dispatch } from 'react';
import type { Caricature } from '#shared/album/caricature';
import { showFailure } from '../../../ui/toasts/show-error.ts';
import { refreshCaricatures } from '../caricature-api.ts';
import { GENERATION_FAILED, toToastMessage } from '../failure-messages.ts';
import type { Celebration, CelebrationEvent } from './celebration-reducer.ts';

interface CompletionOptions {
  caricatures: Caricature[] | undefined;
  celebration: Celebration | null;
  dispatch: Dispatch<CelebrationEvent>;
  isBlocked: boolean;
}

/** Celebrates a tracked caricature when it is completed, and shows why it failed. `caricaturesQuery` does the polling. */
export function useCaricatureCompletion({
  caricatures,
  celebration,
  dispatch,
  isBlocked,
}: CompletionOptions) {
  const queryClient = useQueryClient();
  const shownId = celebration?.isOpen ? celebration.caricature.id : null;

  useEffect(() => {
    if (!caricatures) return;
    const tracked = startTracking(idsOf(caricatures.filter(({ status }) => status === 'generating')));
    const completed = caricatures.filter(({ id, status }) => tracked.includes(id) && status === 'completed');
    const failed = caricatures.filter(({ id, status }) => tracked.includes(id) && status === 'failed');
    for (const each of failed) showFailure(GENERATION_FAILED, toToastMessage(each));
    const doneIds = idsOf([...failed, ...completed.filter(({ id }) => id === shownId)]);
    if (doneIds.length > 0) {
      stopTracking(doneIds);
      void refreshCaricatures(queryClient);
    }
    dispatch({ type: 'loaded', caricatures, completed, isBlocked });
  }, [caricatures, isBlocked, shownId, dispatch, queryClient]);

  return caricatures?.find(({ id }) => id === celebration?.caricature.id) ?? celebration?.caricature;
}

const idsOf = (caricatures: Caricature[]) => caricatures.map(({ id }) => id);

/* Session storage survives reloads and is per tab: other tabs do not celebrate. */
const TRACKED_KEY = 'tracked-caricatures';

function startTracking(ids: string[]): string[] {
  const tracked = readTracked();
  const added = ids.filter((id) => !tracked.includes(id));
  return added.length > 0 ? storeTracked([...tracked, ...added]) : tracked;
}

function stopTracking(ids: string[]): void {
  storeTracked(readTracked().filter((id) => !ids.includes(id)));
}

function readTracked(): string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(TRACKED_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function storeTracked(ids: string[]): string[] {
  try {
    sessionStorage.setItem(TRACKED_KEY, JSON.stringify(ids));
  } catch {
    // Storage is switched off.
  }
  return ids;
}
