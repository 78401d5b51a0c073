import type * as z from 'zod/mini';
import type { CompleteUploadRequest } from '#shared/album/memory';
import type { AppContext } from '../../platform/context.ts';
import type { RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';
import { ConflictError, NotFoundError } from '../../platform/errors.ts';
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
    const result = await imageDecoder.withDecodeSlot(ownerId, async () => {
      const bytes = await storage.readUpload(upload.id, maxPhotoBytes(upload));
      if (!bytes) throw new ConflictError('Nothing has been uploaded to this address yet.');
      await markUploadUsed(db, upload.id, now);
      // Each call stages its own copy, so that no row is locked while the storage works. The first to finish wins.
      return withStagedObject(context, ownerId, async (staged) => {
        const image = await storeAndInspect(context, upload, staged, bytes);
        const { batchId } = upload;
        return finalizeUpload(context, upload, { source: 'web', ...details, batchId }, { staged, image });
      });
    });
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

/** Both at the same time. */
async function storeAndInspect(
  context: AppContext,
  { ownerId, sha256, batchId }: UploadRow,
  { id, key }: StagedObject,
  bytes: Buffer | 'too-large',
): Promise<NewImage | RejectionReason> {
  if (bytes === 'too-large') return bytes;
  if (sha256 !== null && (await hash(bytes)) !== sha256) return 'corrupted';
  // Waits for both, so that no object is written after it was discarded.
  const [stored, inspected] = await Promise.allSettled([
    context.storage.write(key, bytes, 'application/octet-stream', 'accepted'),
    inspectPhoto(context, ownerId, id, bytes, { maxBytes: maxPhotoBytes({ batchId }) }),
  ]);
  if (inspected.status === 'rejected') throw inspected.reason;
  if (stored.status === 'rejected') throw stored.reason;
  return inspected.value;
}

/** On another thread: 10 MB would block this one for some 20 ms. */
async function hash(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
