import type { AppContext } from '../../platform/context.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { uploadExpired } from './finalize-upload.ts';
import { originalKey } from './staged-object.ts';
import { deleteUpload, findUploadToPurge, markUploadPurged, markUploadRefused } from './upload-queries.ts';

/** An hour longer than an upload can be completed. */
const PURGED_AFTER_MS = 25 * 60 * 60 * 1000;

type Context = Pick<AppContext, 'db' | 'storage' | 'clock'>;

/**
 * Deletes what was uploaded and never became a memory, and what came too late to the address of one that did. No row is
 * locked while the storage works. Two purges at the same moment do the same twice, which changes nothing.
 */
export function purgeUploadsJob(context: Context): JobHandler<object> {
  return async () => {
    while (await purgeNext(context));
  };
}

async function purgeNext({ db, storage, clock }: Context): Promise<boolean> {
  const now = clock.now();
  const upload = await findUploadToPurge(db, new Date(now.getTime() - PURGED_AFTER_MS));
  if (!upload) return false;
  const { ownerId, id, status } = upload;
  // First, so that nothing is refused while the storage does not answer: a photo of a message may still be tried.
  await storage.purgeUpload(id);
  if (status === 'open') {
    await markUploadRefused(db, ownerId, id, uploadExpired());
    // The next round sees whether it has become a memory at this moment.
    return true;
  }
  if (status === 'completed') {
    await markUploadPurged(db, ownerId, id, now);
  } else {
    await storage.delete(originalKey(id));
    await deleteUpload(db, ownerId, id);
  }
  return true;
}
