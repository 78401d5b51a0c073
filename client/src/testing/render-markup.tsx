import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { storeMemory, tick } from '../features/memories/store/memory-store.ts';
import { createQueryClient } from '../lib/api/query-client.ts';

/** The first render, with these pets and memories in the cache. */
export function renderMarkup(
  screen: ReactNode,
  { pets = [], memories = [] }: { pets?: Pet[]; memories?: Memory[] } = {},
): string {
  const queryClient = createQueryClient(() => {});
  queryClient.setQueryData(['/api/pets'], pets);
  for (const memory of memories) storeMemory(queryClient, memory.id, memory, tick());
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <QueryClientProvider client={queryClient}>{screen}</QueryClientProvider>
    </Router>,
  );
}
