import type { AppContext } from '../context.ts';
import type { JobHandler } from '../ports/job-queue.ts';
import { originalKey } from './settle-upload.ts';
import { deleteUpload, lockUploadToPurge, markUploadPurged } from './upload-queries.ts';

/** An hour longer than an upload can be completed: nobody is in the middle of it any more. */
const PURGED_AFTER_MS = 25 * 60 * 60 * 1000;

/**
 * Clears away what was uploaded and never became a memory, and what came too late to the address of one that did.
 * One upload in one transaction: ended in the middle, it goes on where it was.
 */
export function purgeUploadsJob(context: Pick<AppContext, 'db' | 'storage' | 'clock'>): JobHandler<object> {
  return async () => {
    while (await purgeNext(context));
  };
}

function purgeNext({ db, storage, clock }: Pick<AppContext, 'db' | 'storage' | 'clock'>): Promise<boolean> {
  const now = clock.now();
  return db.transaction(async (tx) => {
    const upload = await lockUploadToPurge(tx, new Date(now.getTime() - PURGED_AFTER_MS));
    if (!upload) return false;
    await storage.discardUpload(upload.id);
    if (upload.status === 'completed') {
      await markUploadPurged(tx, upload.ownerId, upload.id, now);
    } else {
      await storage.delete(originalKey(upload.id));
      await deleteUpload(tx, upload.ownerId, upload.id);
    }
    return true;
  });
}
