import { deleteReceived, type ReceivedPhoto } from '../share-target/received-photos.ts';
import type { BulkUploader } from './queue/bulk-uploader.ts';
import { toChosenFile, type ChosenFile, type QueuedPhoto } from './queue/queued-photo.ts';

/**
 * Where the path of a shared photo begins; no chosen file's begins with slashes. Its id makes it unique: share sheets call
 * many photos `image.jpg`.
 */
const PREFIX = '//share-sheet/';

const followed = new WeakSet<BulkUploader>();

/** Sends photos that their owner accepted, and keeps their bytes until they are in the album. */
export async function uploadReceived(uploader: BulkUploader, accepted: ReceivedPhoto[]): Promise<void> {
  if (accepted.length === 0) return;
  if (!followed.has(uploader)) {
    followed.add(uploader);
    uploader.subscribe(() => {
      deleteDone(uploader.getSnapshot().photos).catch(() => undefined);
    });
  }
  await uploader.add(accepted.map(toChosenPhoto));
}

async function deleteDone(photos: readonly QueuedPhoto[]): Promise<void> {
  const ids = findDone(photos);
  if (ids.length > 0) await deleteReceived(ids);
}

/** The ids of shared photos that are in the album, or that no album will take. One that a full album refused is not done. */
export function findDone(photos: readonly QueuedPhoto[]): number[] {
  return photos.filter(isDone).flatMap(({ path }) => findReceivedId(path) ?? []);
}

export function toChosenPhoto({ id, file }: ReceivedPhoto): ChosenFile {
  return toChosenFile(file, `${PREFIX}${id}/${file.name}`);
}

function isDone({ state, canRetry }: QueuedPhoto): boolean {
  return state === 'failed' ? !canRetry : state !== 'waiting';
}

function findReceivedId(path: string): number | null {
  if (!path.startsWith(PREFIX)) return null;
  const [id = ''] = path.slice(PREFIX.length).split('/');
  return /^\d+$/.test(id) ? Number(id) : null;
}
