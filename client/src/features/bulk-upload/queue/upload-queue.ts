import { openDB, type DBSchema } from 'idb';
import type { QueuedPhoto } from './queued-photo.ts';

interface QueueSchema extends DBSchema {
  photos: { key: number; value: QueuedPhoto; indexes: { owner: string } };
  /** The batch that an account's photos are added to. */
  batches: { key: string; value: { ownerId: string; batchId: string } };
}

/** The photos of one account that are to be added, stored in this browser. Other accounts do not see them. */
export interface UploadQueue {
  /** In the order in which they were chosen. */
  list(): Promise<QueuedPhoto[]>;
  /** @returns them with their ids */
  add(photos: Omit<QueuedPhoto, 'id'>[]): Promise<QueuedPhoto[]>;
  update(photos: QueuedPhoto[]): Promise<void>;
  clear(): Promise<void>;
  findBatch(): Promise<string | null>;
  setBatch(batchId: string | null): Promise<void>;
}

export async function openUploadQueue(ownerId: string): Promise<UploadQueue> {
  const db = await openDB<QueueSchema>('bulk-upload', 1, {
    upgrade(database) {
      const photos = database.createObjectStore('photos', { keyPath: 'id', autoIncrement: true });
      photos.createIndex('owner', 'ownerId');
      database.createObjectStore('batches', { keyPath: 'ownerId' });
    },
  });
  return {
    list: () => db.getAllFromIndex('photos', 'owner', ownerId),
    async add(photos) {
      const { store, done } = db.transaction('photos', 'readwrite');
      // The store gives the id.
      const ids = await Promise.all(photos.map((photo) => store.add(photo as QueuedPhoto)));
      await done;
      return photos.map((photo, index) => ({ ...photo, id: ids[index]! }));
    },
    async update(photos) {
      const { store, done } = db.transaction('photos', 'readwrite');
      await Promise.all([...photos.map((photo) => store.put(photo)), done]);
    },
    async clear() {
      const { store, done } = db.transaction('photos', 'readwrite');
      const ids = await store.index('owner').getAllKeys(ownerId);
      await Promise.all([...ids.map((id) => store.delete(id)), done]);
    },
    findBatch: async () => (await db.get('batches', ownerId))?.batchId ?? null,
    async setBatch(batchId) {
      if (batchId === null) await db.delete('batches', ownerId);
      else await db.put('batches', { ownerId, batchId });
    },
  };
}
