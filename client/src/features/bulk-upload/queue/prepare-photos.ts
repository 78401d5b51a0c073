import { KnownPhotos } from '#shared/transfers/upload';
import { apiPost } from '../../../lib/api/api-client.ts';
import { hashBlob } from '../../../lib/browser/hash-blob.ts';
import type { PhotoStore } from './photo-store.ts';
import { UNREADABLE, type QueuedPhoto } from './queued-photo.ts';

const GROUP_SIZE = 25;

interface PrepareOptions {
  store: PhotoStore;
  signal: AbortSignal;
  withRetries: <Result>(attempt: () => Promise<Result>) => Promise<Result>;
}

/** The ids of photos that the album does not have, as far as their hashes tell. */
export async function* preparePhotos(options: PrepareOptions): AsyncGenerator<number, void> {
  const { store } = options;
  const taken = new Set<number>();
  for (
    let group = store.nextGroup(GROUP_SIZE, taken);
    group.length > 0;
    group = store.nextGroup(GROUP_SIZE, taken)
  ) {
    for (const { id } of group) taken.add(id);
    await hashAll(group, options);
    const waiting = group.map(({ id }) => store.get(id)!).filter(({ state }) => state === 'waiting');
    yield* await withoutKnown(waiting, options);
  }
}

async function hashAll(group: QueuedPhoto[], { store, signal }: PrepareOptions): Promise<void> {
  for (const { id, sha256 } of group) {
    signal.throwIfAborted();
    const file = store.fileOf(id);
    if (sha256 !== null || !file) continue;
    try {
      const hash = await hashBlob(await file.read());
      if (hash !== null) await store.change(id, { sha256: hash });
    } catch {
      await store.failUnreadable(id, UNREADABLE);
    }
  }
}

async function withoutKnown(
  group: QueuedPhoto[],
  { store, signal, withRetries }: PrepareOptions,
): Promise<number[]> {
  const hashes = new Set(group.flatMap(({ sha256 }) => sha256 ?? []));
  if (hashes.size === 0) return group.map(({ id }) => id);
  const { known } = await withRetries(() =>
    apiPost('/api/uploads/known', { hashes: [...hashes] }, KnownPhotos, {}, signal),
  );
  const found = new Map(known.map((each) => [each.sha256, each]));
  const isKnown = ({ sha256, uploadURL }: QueuedPhoto) =>
    // One that was being sent may be known because it arrived: completing it says so.
    uploadURL === null && sha256 !== null && found.has(sha256);
  await store.update(
    group.filter(isKnown).map((photo): QueuedPhoto => {
      const { memoryId, isDeleted } = found.get(photo.sha256!)!;
      return { ...photo, state: isDeleted ? 'in-trash' : 'in-album', memoryId };
    }),
  );
  return group.filter((photo) => !isKnown(photo)).map(({ id }) => id);
}
