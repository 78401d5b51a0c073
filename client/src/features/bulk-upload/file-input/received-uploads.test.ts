import { expect, it } from 'vitest';
import { toChosenFile, type ChosenFile, type QueuedPhoto } from '../queue/queued-photo.ts';
import { findAlbumFull, findDone, toChosenPhoto } from './received-uploads.ts';

const file = new File(['photo'], 'image.jpg', { type: 'image/jpeg' });
const received = (id: number) =>
  toChosenPhoto({
    id,
    shareId: 'one',
    file,
    ownerId: 'ada',
    isAccepted: true,
    isConfirmed: true,
    isAlbumFull: false,
    receivedAt: 0,
  });

function queued({ path, size, lastModified }: ChosenFile, changes: Partial<QueuedPhoto>): QueuedPhoto {
  const unsent = { sha256: null, uploadURL: null, memoryId: null, imageUrl: null, reason: null, details: {} };
  const photo = { id: 1, ownerId: 'ada', path, size, lastModified, state: 'waiting' as const };
  return { ...unsent, ...photo, hasDate: true, canRetry: false, ...changes };
}

it('deletes the bytes of photos that are in the album or refused for good, and keeps the others', () => {
  const photos = [
    queued(received(1), { state: 'waiting' }),
    queued(received(2), { state: 'added' }),
    queued(received(3), { state: 'in-album' }),
    queued(received(4), { state: 'in-trash' }),
    queued(received(5), { state: 'failed', canRetry: true }),
    queued(received(6), { state: 'failed', canRetry: false }),
    queued(received(7), { state: 'failed', canRetry: false, isAlbumFull: true }),
    queued(received(8), { state: 'waiting', isAlbumFull: false }),
  ];
  expect(findAlbumFull(photos)).toEqual([7]);
  expect(findDone(photos)).toEqual([2, 3, 4, 6]);
});

it('takes no photo of a chosen folder for a shared one', () => {
  for (const path of ['shared/7/image.jpg', 'share-sheet/7/image.jpg', '/share-sheet/7/image.jpg'])
    expect(findDone([queued(toChosenFile(file, path), { state: 'added' })])).toEqual([]);
});
