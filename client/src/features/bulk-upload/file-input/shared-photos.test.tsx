// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { listReceived, storeReceived } from '../../share-target/received-photos.ts';
import { BulkUploader } from '../queue/bulk-uploader.ts';
import { openUploadQueue } from '../queue/upload-queue.ts';
import { SharedPhotos, useSharedPhotos } from './shared-photos.tsx';

const OWNER = 'ada';

setUpComponents();
beforeEach(() => {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker: {} }));
  URL.createObjectURL = () => 'data:,';
  URL.revokeObjectURL = () => undefined;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Page({ uploader }: { uploader: BulkUploader }) {
  return <SharedPhotos shared={useSharedPhotos(OWNER, uploader)} />;
}

it.each([
  ['put', 'Add 2 photos'],
  ['delete', 'Discard'],
] as const)('asks again if the browser does not store the answer (%s)', async (method, name) => {
  await storeReceived([new File(['1'], 'rex.jpg'), new File(['2'], 'ida.jpg')], crypto.randomUUID());
  const { user } = showPage(<Page uploader={new BulkUploader(OWNER, await openUploadQueue(OWNER))} />);
  const button = await screen.findByRole('button', { name });
  const store = vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  await user.click(button);
  await screen.findByText('Your shared photos are still here. Please try again.');
  await screen.findByRole('button', { name: 'Add 2 photos' });
  store.mockRestore();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await vi.waitFor(async () => expect(await listReceived(OWNER)).toEqual([]), 10_000);
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});
