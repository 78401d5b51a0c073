// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { FakeServer } from '../../testing/fake-server/fake-server.ts';
import { emptyState, type FakeState } from '../../testing/fake-server/state/fake-state.ts';
import { fullState } from '../../testing/fake-server/state/full-state.ts';
import { somePet } from '../../testing/some-pet.ts';
import { TIMEOUT } from '../../testing/timeout.ts';
import { FirstSteps } from './first-steps.tsx';

const NAMES = ['Tell us who it is about', 'Add the first photo', 'Choose somebody to share with'];

setUpComponents();
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
});

function showSteps(
  state: FakeState,
  { userId = 'ada', failing }: { userId?: string; failing?: RegExp } = {},
) {
  const server = new FakeServer(state);
  if (failing) server.failing = { calls: failing, status: 500 };
  vi.stubGlobal('fetch', server.fetch);
  const onAddPhoto = vi.fn();
  const page = showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <FirstSteps userId={userId} hasMemories={state.album.memories.length > 0} onAddPhoto={onAddPhoto} />
    </QueryClientProvider>,
  );
  return { ...page, onAddPhoto };
}

it('ticks the steps that are done, and leads to the others', async () => {
  const { user, onAddPhoto } = showSteps(emptyState({ pets: [somePet()] }));
  const steps = await screen.findAllByRole('listitem');
  expect(steps.map((step) => NAMES.find((name) => within(step).queryByText(name)))).toEqual(NAMES);
  expect(await within(steps[0]!).findByText('(done)')).toBeDefined();
  expect(within(steps[0]!).queryByRole('link')).toBeNull();
  await user.click(within(steps[1]!).getByRole('button', { name: 'Add a photo' }));
  expect(onAddPhoto).toHaveBeenCalledOnce();
  const contacts = within(steps[2]!).getByRole('link', { name: 'Add a contact' });
  expect(contacts.getAttribute('href')).toBe('/contacts');
});

it('is gone for good when all steps are done', async () => {
  const { unmount } = showSteps(fullState());
  await vi.waitFor(() => expect(localStorage).toHaveLength(1), TIMEOUT);
  expect(screen.queryByRole('heading')).toBeNull();
  unmount();
  showSteps(emptyState());
  expect(screen.queryByRole('heading')).toBeNull();
});

it('is shown if only a part of it could be loaded', async () => {
  const { album } = fullState();
  showSteps(emptyState({ album }), { failing: /contacts/ });
  const steps = await screen.findAllByRole('listitem');
  expect(steps.map((step) => within(step).queryByText('(done)') !== null)).toEqual([false, true, false]);
});

it('is put away for good, for this person only', async () => {
  const { user, unmount } = showSteps(emptyState());
  await user.click(await screen.findByRole('button', { name: 'Put the first steps away' }));
  expect(screen.queryByRole('heading')).toBeNull();
  expect(document.activeElement?.id).toBe('main');
  unmount();
  const again = showSteps(emptyState());
  expect(screen.queryByRole('heading')).toBeNull();
  again.unmount();
  showSteps(emptyState(), { userId: 'bea' });
  await screen.findByRole('heading', { name: 'First steps' });
});
