// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { setReceiver, storeReceived } from '../features/share-target/received-photos.ts';
import { Toaster } from '../ui/toasts/toaster.tsx';
import { OfflineScreen } from './offline-screen.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it('says that a shared photo is still there if the browser does not store the answer', async () => {
  await setReceiver('ada');
  await storeReceived([new File(['photo'], 'rex.jpg', { type: 'image/jpeg' })], 'share');
  render(
    <>
      <OfflineScreen onRetry={() => {}} isRetrying={false} />
      <Toaster />
    </>,
  );
  const add = await screen.findByRole('button', { name: 'Add when online' });
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('The disk is full', 'QuotaExceededError');
  });
  fireEvent.click(add);
  await screen.findByText('Your shared photos are still here. Please try again.');
  expect(screen.getByRole('button', { name: 'Add when online' })).toBeTruthy();
});
