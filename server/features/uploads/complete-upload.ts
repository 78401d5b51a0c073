import type * as z from 'zod/mini';
import type { CompleteUploadRequest } from '#shared/album/memory';
import type { AppContext } from '../../platform/context.ts';
import type { RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';
import { ConflictError, NotFoundError } from '../../platform/errors.ts';
import type { StoredUpload } from '../../platform/object-storage/object-storage.ts';
import type { NewImage } from '../images/image-queries.ts';
import {
  finalizeUpload,
  finishedResult,
  inspectPhoto,
  reloadResult,
  type PhotoDetails,
  type UploadResult,
} from './finalize-upload.ts';
import { UPLOADED_LIFETIME_MS } from './sign-upload-url.ts';
import { withStagedObject, type StagedObject } from '../images/staged-object.ts';
import { findUpload, markUploadUsed } from './upload-queries.ts';
import type { UploadRow } from '../storage/open-upload-queries.ts';
import { maxPhotoBytes } from '../storage/photo-size.ts';

const NOT_UPLOADED = 'Nothing has been uploaded to this address yet.';

type Request = z.output<typeof CompleteUploadRequest> & Pick<PhotoDetails, 'timeZone'>;

/** Idempotent. Stores the bytes that it inspects: those at the signed URL can change. */
export async function completeUpload(
  context: AppContext,
  ownerId: string,
  { uploadURL, ...details }: Request,
): Promise<UploadResult> {
  const { db, storage, clock, imageDecoder } = context;
  const uploadId = storage.uploadIdOf(uploadURL);
  const upload = uploadId && (await findUpload(db, ownerId, uploadId));
  if (!upload) throw new NotFoundError('This upload was not found. Please add the photo again.');
  const finished = await finishedResult(db, upload);
  if (finished) return finished;
  const now = clock.now();
  if (now.getTime() - (upload.lastUsedAt ?? upload.createdAt).getTime() > UPLOADED_LIFETIME_MS)
    return { kind: 'rejected', reason: 'expired' };
  try {
    // Before anything is written: this may be asked any number of times.
    if (!(await storage.isUploaded(upload.id))) throw new ConflictError(NOT_UPLOADED);
    const result = await imageDecoder.withDecodeSlot(ownerId, () =>
      // Each call stages its own copy, so that no row is locked while the storage works. The first to finish wins.
      withStagedObject(context, ownerId, async (staged) => {
        const uploaded = await storage.storeUpload(upload.id, staged.key, maxPhotoBytes(upload));
        if (!uploaded) throw new ConflictError(NOT_UPLOADED);
        const image =
          uploaded === 'too-large' ? uploaded : await inspectUpload(context, upload, staged, uploaded, now);
        const { batchId } = upload;
        return finalizeUpload(context, upload, { source: 'web', ...details, batchId }, { staged, image });
      }),
    );
    // The purge of uploads deletes what cannot be deleted now.
    const deleting = storage.deleteUpload(upload.id).catch(() => undefined);
    // A memory is shown without waiting for it.
    if (result.kind === 'rejected') await deleting;
    return result;
  } catch (error) {
    // A concurrent call may have completed the upload and deleted the bytes to copy.
    const result = error instanceof ConflictError && (await reloadResult(db, upload));
    if (result) return result;
    throw error;
  }
}

/** Checks the photo while it is stored and hashed. */
async function inspectUpload(
  context: AppContext,
  { id: uploadId, ownerId, sha256, batchId }: UploadRow,
  { id }: StagedObject,
  { bytes, stored }: StoredUpload,
  now: Date,
): Promise<NewImage | RejectionReason> {
  const inspecting = inspectPhoto(context, ownerId, id, bytes, { maxBytes: maxPhotoBytes({ batchId }) });
  const hashing = sha256 === null ? null : hash(bytes);
  const marking = markUploadUsed(context.db, uploadId, now);
  // Waits for all, so that no object is written after it was discarded.
  const [storing, marked, hashed, inspected] = await Promise.allSettled([
    stored,
    marking,
    hashing,
    inspecting,
  ]);
  for (const each of [storing, marked, hashed]) if (each.status === 'rejected') throw each.reason;
  if (hashed.status === 'fulfilled' && hashed.value !== sha256) return 'corrupted';
  if (inspected.status === 'rejected') throw inspected.reason;
  return inspected.value;
}

/** On another thread: 10 MB would block this one for some 20 ms. */
async function hash(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
