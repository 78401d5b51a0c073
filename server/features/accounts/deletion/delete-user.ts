import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { deleteImageObjectsJob } from '../../images/delete-image-objects-job.ts';
import { deleteObjects } from '../../storage/delete-objects-job.ts';
import { exportPartKey, flipbookPdfKey, importKeys } from '../../storage/object-keys.ts';
import { deleteUserRow, listStoredObjects, lockUserToDelete } from './delete-user-queries.ts';
import { deleteReceivedObjectsJob } from './delete-received-objects-job.ts';

/** Longer than the URL of an upload works, and than receiving an email takes. */
const RECEIVED_OBJECTS_DELAY_SECONDS = 60 * 60;

/**
 * Deletes the user's rows and sessions; jobs delete the stored objects. Idempotent. Call it with `retryDeadlock`: rows that a
 * running request adds are locked in another order than this cascade locks them.
 * @returns whether a job of the user is running, and stays
 */
export async function deleteUser(
  { jobs }: Pick<AppContext, 'jobs'>,
  tx: Tx,
  id: string,
): Promise<{ isJobRunning: boolean }> {
  const user = await lockUserToDelete(tx, id);
  if (!user) return { isJobRunning: false };
  const { images, flipbookPdfs, exportParts, imports, uploads, emails } = await listStoredObjects(tx, id);
  const isJobRunning = await jobs.deleteMentioning(tx, user.phoneNumber ? [id, user.phoneNumber] : [id]);
  await deleteUserRow(tx, id);
  await jobs.enqueueAll(tx, deleteImageObjectsJob, images);
  await deleteObjects({ jobs }, tx, [
    ...flipbookPdfs.map(flipbookPdfKey),
    ...exportParts.map((part) => exportPartKey(part.id)),
    ...imports.flatMap(importKeys),
  ]);
  const received = { uploadIds: uploads.map((each) => each.id), emailIds: emails.map((each) => each.id) };
  await jobs.enqueue(tx, deleteReceivedObjectsJob, received, {
    delaySeconds: RECEIVED_OBJECTS_DELAY_SECONDS,
  });
  return { isJobRunning };
}
