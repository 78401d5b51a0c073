import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { UnavailableError } from '../../platform/errors.ts';
import { createUpload, deleteUpload, markUploadRefused } from './upload-queries.ts';

/** An object that is stored under its `key` and belongs to nothing yet. */
export type StagedObject = { id: string; key: string };

/** Where the bytes of an original lie. */
export function originalKey(id: string): string {
  return `originals/${id}`;
}

/**
 * Reserves a key, lets an object be stored under it, and deletes the object again unless it was kept. It is recorded as
 * an upload before it is stored, so that the purge of uploads finds it after a crash.
 */
export async function withStagedObject<Result>(
  context: Pick<AppContext, 'db' | 'clock' | 'storage'>,
  ownerId: string,
  use: (object: StagedObject) => Promise<Result>,
): Promise<Result> {
  const { id } = await createUpload(context.db, ownerId, context.clock.now());
  let isAnswering = true;
  try {
    return await use({ id, key: originalKey(id) });
  } catch (error) {
    isAnswering = !(error instanceof UnavailableError);
    throw error;
  } finally {
    // The purge finds what cannot be deleted now.
    const discarded = discardUnlessKept(context, ownerId, id).catch(() => undefined);
    // Whoever has waited for a storage that hangs is not kept waiting for it a second time.
    if (isAnswering) await discarded;
  }
}

/** In the transaction in which a row begins to refer to it. */
export function keepStagedObject(tx: Tx, ownerId: string, { id }: StagedObject): Promise<void> {
  return deleteUpload(tx, ownerId, id);
}

const DISCARDED = { status: 404, message: 'This upload was discarded.' };

/**
 * The record of a kept object is gone. The mark waits for a transaction that is still deleting it, one whose commit was
 * cut off too; the storage is only asked once no row is locked.
 */
async function discardUnlessKept(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  ownerId: string,
  id: string,
): Promise<void> {
  if (!(await markUploadRefused(db, ownerId, id, DISCARDED))) return;
  await storage.delete(originalKey(id));
  await deleteUpload(db, ownerId, id);
}
