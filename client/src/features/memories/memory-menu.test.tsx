// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { MemoryServer } from '../../testing/memory-server.ts';
import { someMemory } from '../../testing/some-memory.ts';
import { MemoryCard } from './grid/memory-card.tsx';

setUpComponents();

const memory = someMemory({ caption: 'Snow', petId: null });
const edit = vi.fn();

beforeEach(() => vi.stubGlobal('fetch', new MemoryServer([memory]).fetch));
afterEach(() => {
  vi.unstubAllGlobals();
  edit.mockReset();
});

async function openMenu(mode: 'grid' | 'list') {
  const nothing = () => {};
  const actions = { open: nothing, edit, toggleLike: nothing, share: nothing, remove: nothing };
  const { user } = showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <MemoryCard memory={memory} mode={mode} width={240} actions={actions} />
    </QueryClientProvider>,
  );
  expect(screen.getByRole('button', { name: 'Love Snow' })).toBeTruthy();
  const pencil = screen.queryByRole('button', { name: 'Edit Snow' });
  const dots = screen.getByRole('button', { name: 'More actions for Snow' });
  await user.click(dots);
  const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  return { user, pencil, dots, items };
}

it.each(['grid', 'list'] as const)('a card in a %s has a pencil beside its menu', async (mode) => {
  const { pencil, items } = await openMenu(mode);
  expect(pencil).not.toBeNull();
  expect(items).toEqual(['Share', 'Download', 'Delete']);
});

it.each(['grid', 'list'] as const)('a touched card in a %s has the pencil in its menu', async (mode) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(hover: none)' }));
  const { user, pencil, dots, items } = await openMenu(mode);
  expect(pencil).toBeNull();
  expect(items).toEqual(['Edit', 'Share', 'Download', 'Delete']);
  await user.click(screen.getByRole('menuitem', { name: 'Edit' }));
  expect(edit.mock.calls).toEqual([[memory, dots]]);
});
