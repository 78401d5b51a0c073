import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EntityEvent } from '#shared/api/event';
import { refreshHeldMessages } from '../../features/inbound-email/held-message-api.ts';
import { isLoggingOut } from '../../features/sessions/session-api.ts';
import { paths } from '../../lib/routing/paths.ts';
import { checkSession } from '../check-session.ts';
import { subscribeToEvents } from './event-stream.ts';

const BATCH_MS = 250;

type Changes = Record<Exclude<EntityEvent['kind'], 'held-message'>, string[] | 'many'>;
const NONE: Changes = { memory: [], pet: [], caricature: [] };
const ALL: Changes = { memory: 'many', pet: 'many', caricature: 'many' };

/** Refetches what other tabs, devices and background jobs change, while a user is signed in. */
export function useEvents(userId: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => (userId === undefined ? undefined : refetchOnChange(queryClient)), [queryClient, userId]);
}

function refetchOnChange(queryClient: QueryClient): () => void {
  let pending = NONE;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = () => {
    // Not restarted by later events: during a long import it would never fire.
    timer ??= setTimeout(flush, BATCH_MS);
  };
  const flush = () => {
    timer = undefined;
    const changes = pending;
    pending = NONE;
    // The server could not be reached: the next event refetches everything.
    refetch(queryClient, changes).catch(() => (pending = ALL));
  };
  const unsubscribe = subscribeToEvents({
    onChange: ({ kind, ids }) => {
      if (kind === 'held-message') return void refreshHeldMessages(queryClient);
      const before = pending[kind];
      pending = {
        ...pending,
        [kind]: ids === null || before === 'many' ? 'many' : [...new Set([...before, ...ids])],
      };
      schedule();
    },
    onGap: () => {
      pending = ALL;
      schedule();
      void refreshHeldMessages(queryClient);
    },
    onPossibleSessionEnd: () => void checkSession(queryClient),
    // A full page load removes the cached data of the ended session. A page that ends its own leaves after the response.
    onAccountEnd: (reason) => {
      if (!isLoggingOut(queryClient)) window.location.replace(`${paths.auth}?ended=${reason}`);
    },
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

async function refetch(queryClient: QueryClient, { memory, pet, caricature }: Changes): Promise<void> {
  if (caricature.length > 0) {
    const { refreshCaricatures } = await import('../../features/caricatures/caricature-api.ts');
    void refreshCaricatures(queryClient);
  }
  if (memory.length === 0 && pet.length === 0) return;
  const { invalidate } = await import('../../features/memories/store/memory-lists.ts');
  const { refetchAllMemories, refetchMemories } =
    await import('../../features/memories/store/memory-mutations.ts');
  const { refreshPets } = await import('../../features/pets/pet-api.ts');
  if (pet.length > 0) {
    void refreshPets(queryClient);
    // Search also matches pet names.
    if (memory !== 'many') invalidate(queryClient, ({ q }) => !!q);
  }
  if (memory === 'many') await refetchAllMemories(queryClient);
  else if (memory.length > 0) await refetchMemories(queryClient, memory);
}
