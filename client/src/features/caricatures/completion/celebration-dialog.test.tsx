// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { someCaricature } from '../../../testing/some-caricature.ts';
import type { CaricatureActions } from '../use-caricature-actions.ts';
import { CelebrationDialog } from './celebration-dialog.tsx';

setUpComponents();
beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: true })));
afterEach(() => vi.unstubAllGlobals());

it('keeps room for the buttons that come when the caricature is completed', () => {
  const nothing = () => {};
  const actions: CaricatureActions = {
    pending: null,
    save: nothing,
    share: nothing,
    saveAsMemory: nothing,
    isSavedAsMemory: () => false,
    setProfilePicture: nothing,
  };
  showPage(
    <QueryClientProvider client={createQueryClient(() => {})}>
      <CelebrationDialog
        caricature={someCaricature({ status: 'generating', caricatureImageUrl: null })}
        petName="Biscuit"
        isOpen
        isNew
        onClose={nothing}
        actions={actions}
        onViewGallery={nothing}
        onRedo={nothing}
      />
    </QueryClientProvider>,
  );
  expect(screen.queryByRole('button', { name: 'Save to Device' })).toBeNull();
  const room = screen.getByText('Save to Device').closest('[inert]');
  expect(room?.className).toBe('invisible');
});
