import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AccountChange } from '#shared/account-event';
import { refreshHeldMessages } from '../features/inbound-email/held-message-api.ts';
import { followEvents } from '../lib/event-stream.ts';
import { OwnChanges } from './own-changes.ts';

/** What comes in short order is shown together, and what this tab did itself has been answered by then. */
const COLLECTING_MS = 250;

type Changed = Record<Exclude<AccountChange['kind'], 'held-message'>, string[] | 'many'>;
const nothing: Changed = { memory: [], pet: [], caricature: [] };
const everything: Changed = { memory: 'many', pet: 'many', caricature: 'many' };

/** While someone is signed in, the screen follows what is changed in their account elsewhere. */
export function useAccountEvents(userId: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => (userId === undefined ? undefined : followAccount(queryClient)), [queryClient, userId]);
}

function followAccount(queryClient: QueryClient): () => void {
  const own = new OwnChanges(queryClient);
  let heard = nothing;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isShowing = false;

  const collect = () => {
    clearTimeout(timer);
    timer = setTimeout(show, COLLECTING_MS);
  };
  const show = () => {
    // One after the other: what was asked for first might come last, and would undo what is newer. A gap waits for
    // nothing that may hang: it has everything asked for anew.
    if ((isShowing && heard.memory !== 'many') || queryClient.isMutating() > 0) return collect();
    const { memory, pet, caricature } = heard;
    const changed = {
      memory: own.without(memory),
      pet: own.without(pet),
      caricature: own.without(caricature),
    };
    heard = nothing;
    isShowing = true;
    showChanges(queryClient, changed)
      // The server could not be reached: all is asked for anew at the next word from it.
      .catch(() => (heard = everything))
      .finally(() => (isShowing = false));
  };
  const stopFollowing = followEvents({
    onChange: ({ kind, ids }) => {
      if (kind === 'held-message') return void refreshHeldMessages(queryClient);
      const before = heard[kind];
      heard = { ...heard, [kind]: ids === null || before === 'many' ? 'many' : [...before, ...ids] };
      collect();
    },
    onGap: () => {
      heard = everything;
      collect();
      void refreshHeldMessages(queryClient);
    },
  });
  return () => {
    clearTimeout(timer);
    stopFollowing();
    own.stop();
  };
}

async function showChanges(queryClient: QueryClient, { memory, pet, caricature }: Changed): Promise<void> {
  if (caricature.length > 0) {
    const { refreshCaricatures } = await import('../features/caricatures/caricature-api.ts');
    void refreshCaricatures(queryClient);
  }
  if (memory.length === 0 && pet.length === 0) return;
  // Fetched when it is needed for the first time.
  const memories = await import('../features/memories/live/live-memories-api.ts');
  const { refreshPets } = await import('../features/pets/pet-api.ts');
  if (pet.length > 0) {
    void refreshPets(queryClient);
    if (memory !== 'many') void memories.refreshSearches(queryClient);
  }
  if (memory === 'many') await memories.refreshMemories(queryClient);
  else if (memory.length > 0) await memories.showChangedMemories(queryClient, memory);
}
