import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import type { Pet } from '#shared/pet';
import { createQueryClient } from '../lib/query-client.ts';

/** What a screen shows at first, of an account with these pets. */
export function renderMarkup(screen: ReactNode, pets: Pet[] = []): string {
  const queryClient = createQueryClient(() => {});
  queryClient.setQueryData(['/api/pets'], pets);
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <QueryClientProvider client={queryClient}>{screen}</QueryClientProvider>
    </Router>,
  );
}
