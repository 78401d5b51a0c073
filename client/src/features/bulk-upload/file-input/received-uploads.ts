import { deleteReceived, markAlbumFull, type ReceivedPhoto } from '../../share-target/received-photos.ts';
import type { BulkUploader } from '../queue/bulk-uploader.ts';
import {
  isShared,
  SHARED_PREFIX,
  toChosenFile,
  type ChosenFile,
  type QueuedPhoto,
} from '../queue/queued-photo.ts';

const followed = new WeakSet<BulkUploader>();

/** Sends photos that their owner accepted, and keeps their bytes until they are in the album. */
export async function uploadReceived(uploader: BulkUploader, accepted: ReceivedPhoto[]): Promise<void> {
  if (accepted.length === 0) return;
  if (!followed.has(uploader)) {
    followed.add(uploader);
    uploader.subscribe(() => {
      record(uploader.getSnapshot().photos).catch(() => undefined);
    });
  }
  await uploader.add(accepted.map(toChosenPhoto));
}

async function record(photos: readonly QueuedPhoto[]): Promise<void> {
  const [done, rejected] = [findDone(photos), findAlbumFull(photos)];
  if (done.length > 0) await deleteReceived(done);
  if (rejected.length > 0) await markAlbumFull(rejected);
}

/** The ids of shared photos that a full album rejected. */
export function findAlbumFull(photos: readonly QueuedPhoto[]): number[] {
  return photos
    .filter(({ state, isAlbumFull }) => state === 'failed' && isAlbumFull)
    .flatMap(({ path }) => findReceivedId(path) ?? []);
}

/** The ids of shared photos that are in the album, or that no album will take. One that a full album rejected is not done. */
export function findDone(photos: readonly QueuedPhoto[]): number[] {
  return photos.filter(isDone).flatMap(({ path }) => findReceivedId(path) ?? []);
}

export function toChosenPhoto({ id, file }: ReceivedPhoto): ChosenFile {
  return toChosenFile(file, `${SHARED_PREFIX}${id}/${file.name}`);
}

function isDone({ state, canRetry, isAlbumFull }: QueuedPhoto): boolean {
  return state === 'failed' ? !canRetry && !isAlbumFull : state !== 'waiting';
}

function findReceivedId(path: string): number | null {
  if (!isShared({ path })) return null;
  const [id = ''] = path.slice(SHARED_PREFIX.length).split('/');
  return /^\d+$/.test(id) ? Number(id) : null;
}
