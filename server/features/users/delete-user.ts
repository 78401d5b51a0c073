import type { AppContext } from '../../platform/context.ts';
import { isDeadlock } from '../../platform/db/database-errors.ts';
import { deleteFlipbookPdfObjectJob } from '../flipbooks/delete-flipbook-pdf-object-job.ts';
import { deleteImageObjectsJob } from '../images/delete-image-objects-job.ts';
import { deleteUserRow, listStoredObjects, lockUserToDelete } from './delete-user-queries.ts';
import { deleteReceivedObjectsJob } from './delete-received-objects-job.ts';

const MAX_ATTEMPTS = 3;
/** Longer than the URL of an upload works, and than receiving an email takes. */
const RECEIVED_OBJECTS_DELAY_SECONDS = 60 * 60;

/** Deletes the user's rows and sessions; jobs delete the stored objects. Idempotent. */
export async function deleteUser(context: Pick<AppContext, 'db' | 'jobs'>, id: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await deleteOnce(context, id);
    } catch (error) {
      // Rows that a running request adds are locked in another order than this cascade locks them.
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function deleteOnce({ db, jobs }: Pick<AppContext, 'db' | 'jobs'>, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const user = await lockUserToDelete(tx, id);
    if (!user) return;
    const { images, flipbookPdfs, uploads, emails } = await listStoredObjects(tx, id);
    await jobs.deleteMentioning(tx, user.phoneNumber ? [id, user.phoneNumber] : [id]);
    await deleteUserRow(tx, id);
    await jobs.enqueueAll(tx, deleteImageObjectsJob, images);
    for (const { id: flipbookPdfId } of flipbookPdfs)
      await jobs.enqueue(tx, deleteFlipbookPdfObjectJob, { flipbookPdfId });
    const received = { uploadIds: uploads.map((each) => each.id), emailIds: emails.map((each) => each.id) };
    await jobs.enqueue(tx, deleteReceivedObjectsJob, received, {
      delaySeconds: RECEIVED_OBJECTS_DELAY_SECONDS,
    });
  });
}
