import { deleteReceived, type ReceivedPhoto } from '../share-target/received-photos.ts';
import type { BulkUploader } from './queue/bulk-uploader.ts';
import { toChosenFile, type ChosenFile, type QueuedPhoto } from './queue/queued-photo.ts';

/** Where the path of a shared photo begins. Its id makes it unique: share sheets call many photos `image.jpg`. */
const FOLDER = 'shared';

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
  const ids = photos.filter(isDone).flatMap(({ path }) => receivedId(path) ?? []);
  if (ids.length > 0) await deleteReceived(ids);
}

function toChosenPhoto({ id, file }: ReceivedPhoto): ChosenFile {
  return toChosenFile(file, `${FOLDER}/${id}/${file.name}`);
}

function isDone({ state, canRetry }: QueuedPhoto): boolean {
  return state === 'failed' ? !canRetry : state !== 'waiting';
}

function receivedId(path: string): number | null {
  const [folder, id] = path.split('/');
  return folder === FOLDER && /^\d+$/.test(id ?? '') ? Number(id) : null;
}
