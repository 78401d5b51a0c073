import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { UnavailableError } from '../../platform/errors.ts';
import type { ObjectStorage } from '../../platform/object-storage/object-storage.ts';
import { TILE_WIDTH } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import { variantKey } from './image-variants.ts';
import { createUpload, deleteUpload, markUploadRejected } from '../storage/open-upload-queries.ts';

/** An object stored under its `key` that no row refers to yet. An upload's image gets its id, so that the tile can be stored with it. */
export type StagedObject = { id: string; key: string; isCommitted: boolean };

export function originalKey(id: string): string {
  return `originals/${id}`;
}

/** Deletes the object unless it was committed. Recorded as an upload first, for the purge after a crash. */
export async function withStagedObject<Result>(
  context: Pick<AppContext, 'db' | 'clock' | 'storage'>,
  ownerId: string,
  use: (object: StagedObject) => Promise<Result>,
): Promise<Result> {
  const { id } = await createUpload(context.db, ownerId, context.clock.now());
  const object: StagedObject = { id, key: originalKey(id), isCommitted: false };
  let isStorageAvailable = true;
  try {
    return await use(object);
  } catch (error) {
    // The transaction that committed it may have failed.
    object.isCommitted = false;
    isStorageAvailable = !(error instanceof UnavailableError);
    throw error;
  } finally {
    if (!object.isCommitted) await discard();
  }

  async function discard(): Promise<void> {
    // The purge of uploads deletes what cannot be deleted now.
    const discarded = discardUnlessCommitted(context, ownerId, id).catch(() => undefined);
    // Do not wait a second time for a storage that hangs.
    if (isStorageAvailable) await discarded;
  }
}

/** Call it in the transaction that writes the row which refers to the object. */
export async function commitStagedObject(tx: Tx, ownerId: string, object: StagedObject): Promise<void> {
  await deleteUpload(tx, ownerId, object.id);
  object.isCommitted = true;
}

/** Marking the row waits for a transaction that is deleting it. No row is locked while the storage works. */
async function discardUnlessCommitted(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  ownerId: string,
  id: string,
): Promise<void> {
  if (!(await markUploadRejected(db, ownerId, id, 'discarded'))) return;
  await deleteStagedBytes(storage, id);
  await deleteUpload(db, ownerId, id);
}

/** Call it once the upload is rejected: no memory can be made of them. */
export async function deleteStagedBytes(storage: ObjectStorage, id: string): Promise<void> {
  await storage.delete(originalKey(id));
  await storage.delete(variantKey(id, TILE_WIDTH));
}
