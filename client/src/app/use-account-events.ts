import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { AccountChange } from '#shared/account-event';
import { refreshHeldMessages } from '../features/inbound-email/held-message-api.ts';
import { followEvents } from '../lib/event-stream.ts';

/** Events of a burst are handled together. */
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
  let heard = nothing;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const collect = () => {
    // Not restarted: a long import would put it off until its end.
    timer ??= setTimeout(show, COLLECTING_MS);
  };
  const show = () => {
    timer = undefined;
    const changed = heard;
    heard = nothing;
    // The server could not be reached: everything is fetched again at the next event.
    showChanges(queryClient, changed).catch(() => (heard = everything));
  };
  const stopFollowing = followEvents({
    onChange: ({ kind, ids }) => {
      if (kind === 'held-message') return void refreshHeldMessages(queryClient);
      const before = heard[kind];
      heard = {
        ...heard,
        [kind]: ids === null || before === 'many' ? 'many' : [...new Set([...before, ...ids])],
      };
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
  };
}

async function showChanges(queryClient: QueryClient, { memory, pet, caricature }: Changed): Promise<void> {
  if (caricature.length > 0) {
    const { refreshCaricatures } = await import('../features/caricatures/caricature-api.ts');
    void refreshCaricatures(queryClient);
  }
  if (memory.length === 0 && pet.length === 0) return;
  // Fetched when it is needed for the first time.
  const { invalidate } = await import('../features/memories/store/memory-lists.ts');
  const { refetchAllMemories, refetchMemories } =
    await import('../features/memories/store/memory-mutations.ts');
  const { refreshPets } = await import('../features/pets/pet-api.ts');
  if (pet.length > 0) {
    void refreshPets(queryClient);
    // A search finds memories by the names of their pets.
    if (memory !== 'many') invalidate(queryClient, ({ q }) => !!q);
  }
  if (memory === 'many') await refetchAllMemories(queryClient);
  else if (memory.length > 0) await refetchMemories(queryClient, memory);
}
