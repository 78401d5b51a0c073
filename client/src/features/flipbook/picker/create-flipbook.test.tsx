// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { MemoryServer } from '../../../testing/memory-server.ts';
import { someMemory } from '../../../testing/some-memory.ts';
import { CreateFlipbook } from './create-flipbook.tsx';

setUpComponents();
beforeEach(() => {
  vi.stubGlobal('fetch', new MemoryServer([someMemory()]).fetch);
  class NoObserver {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', NoObserver);
});
afterEach(() => vi.unstubAllGlobals());

it('the picker takes the focus itself: its buttons have nothing to do yet', async () => {
  const { user } = showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <CreateFlipbook filters={{ q: '', petId: '', isLiked: false }} onOpen={() => {}} onCreated={() => {}} />
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Create Flipbook' }));
  expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Create Memory Flipbook' }));
  await screen.findByRole('button', { name: 'Select All (1)' });
  await user.tab();
  expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Select All (1)' }));
});
