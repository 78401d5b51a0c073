import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { deleteFlipbookPdfObjectJob } from '../flipbooks/delete-flipbook-pdf-object-job.ts';
import { deleteExportPartsJob } from '../exports/delete-export-parts-job.ts';
import { deleteChunks, deleteData } from '../imports/delete-import-objects-job.ts';
import { deleteImageObjectsJob } from '../images/delete-image-objects-job.ts';
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
  for (const { id: flipbookPdfId } of flipbookPdfs)
    await jobs.enqueue(tx, deleteFlipbookPdfObjectJob, { flipbookPdfId });
  if (exportParts.length > 0)
    await jobs.enqueue(tx, deleteExportPartsJob, { partIds: exportParts.map((each) => each.id) });
  for (const each of imports) {
    await deleteChunks({ jobs }, tx, each);
    await deleteData({ jobs }, tx, each);
  }
  const received = { uploadIds: uploads.map((each) => each.id), emailIds: emails.map((each) => each.id) };
  await jobs.enqueue(tx, deleteReceivedObjectsJob, received, {
    delaySeconds: RECEIVED_OBJECTS_DELAY_SECONDS,
  });
  return { isJobRunning };
}
