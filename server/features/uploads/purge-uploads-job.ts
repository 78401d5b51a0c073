import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { INGEST_PHOTO_TIMEOUT_MS } from './ingest-photo.ts';
import { UNUSED_UPLOAD_LIFETIME_MS } from './sign-upload-url.ts';
import { deleteStagedBytes } from './staged-object.ts';
import { deleteUpload, findUploadToPurge, markUploadPurged, markUploadRejected } from './upload-queries.ts';

/** Deletes bytes that never became a memory, and those that arrived after their upload was completed. */
export const purgeUploadsJob = defineJob({
  name: 'purge-uploads',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  cron: '*/5 * * * *',
  async handle(context) {
    while (await purgeNext(context));
  },
});

/** Locks no row while the storage works: every step is idempotent, so concurrent purges do no harm. */
async function purgeNext({ db, storage, clock }: AppContext): Promise<boolean> {
  const now = clock.now();
  const upload = await findUploadToPurge(db, {
    unused: new Date(now.getTime() - UNUSED_UPLOAD_LIFETIME_MS),
    // Longer than staged bytes are used, too.
    created: new Date(now.getTime() - INGEST_PHOTO_TIMEOUT_MS),
  });
  if (!upload) return false;
  const { ownerId, id, status } = upload;
  // First, so that no upload is rejected while the storage is down: the photo of a message may still be retried.
  await storage.deleteUpload(id);
  // The next round deletes it, unless it was completed in between.
  if (status === 'open') await markUploadRejected(db, ownerId, id, 'expired');
  else if (status === 'completed') await markUploadPurged(db, ownerId, id, now);
  else {
    await deleteStagedBytes(storage, id);
    await deleteUpload(db, ownerId, id);
  }
  return true;
}
