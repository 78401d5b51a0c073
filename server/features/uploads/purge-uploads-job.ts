import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { INGEST_PHOTO_TIMEOUT_MS } from './ingest-photo.ts';
import { UNUSED_UPLOAD_LIFETIME_MS, UPLOADED_LIFETIME_MS } from './sign-upload-url.ts';
import { deleteStagedBytes } from '../images/staged-object.ts';
import { findUploadToPurge, listOpenUploads, markUploadPurged } from './upload-queries.ts';
import { deleteUpload, markUploadRejected } from '../storage/open-upload-queries.ts';

/** Deletes bytes that never became a memory, and those that arrived after their upload was completed. */
export const purgeUploadsJob = defineJob({
  name: 'purge-uploads',
  cron: '*/5 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  async handle(context) {
    await expireUnused(context);
    while (await purgeNext(context));
  },
});

/** S3 does not tell us of a PUT, so the storage is asked. */
async function expireUnused({ db, storage, clock }: AppContext): Promise<void> {
  const now = clock.now().getTime();
  const idle = await listOpenUploads(db, {
    from: new Date(now - UPLOADED_LIFETIME_MS),
    before: new Date(now - UNUSED_UPLOAD_LIFETIME_MS),
  });
  for (const { ownerId, id } of idle)
    if (!(await storage.isUploaded(id))) await markUploadRejected(db, ownerId, id, 'expired');
}

/** Locks no row while the storage works: every step is idempotent, so concurrent purges do no harm. */
async function purgeNext({ db, storage, clock }: AppContext): Promise<boolean> {
  const now = clock.now();
  const upload = await findUploadToPurge(db, {
    unused: new Date(now.getTime() - UNUSED_UPLOAD_LIFETIME_MS),
    uploaded: new Date(now.getTime() - UPLOADED_LIFETIME_MS),
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
