// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { MemoryServer } from '../../testing/memory-server.ts';
import { someMemory } from '../../testing/some-memory.ts';
import { somePet } from '../../testing/some-pet.ts';
import { PetPhotoAvatar } from './pet-photo-avatar.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('shows the newest photo of a pet without a picture, and asks for it only then', async () => {
  const rex = somePet();
  const album = new MemoryServer([someMemory({ petId: rex.id, imageUrl: '/objects/newest' })]);
  vi.stubGlobal('fetch', album.fetch);
  const client = createQueryClient(() => {});
  const show = (profileImageUrl: string | null) =>
    render(
      <QueryClientProvider client={client}>
        <PetPhotoAvatar pet={{ ...rex, profileImageUrl }} sizes="40px" />
      </QueryClientProvider>,
    );
  const { unmount } = show('/objects/framed');
  expect(screen.getByRole('img').getAttribute('src')).toContain('/objects/framed');
  expect(album.requests).toEqual([]);
  unmount();
  show(null);
  expect((await screen.findByRole('img', { name: 'Rex, dog' })).getAttribute('src')).toContain(
    '/objects/newest',
  );
});
