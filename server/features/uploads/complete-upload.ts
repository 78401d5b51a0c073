import type * as z from 'zod/mini';
import type { CompleteUploadRequest } from '#shared/memory';
import { MAX_UPLOAD_BYTES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import type { RejectionReason } from '../../platform/db/schema/uploads.ts';
import { ConflictError, NotFoundError } from '../../platform/errors.ts';
import type { InspectedImage } from '../../platform/image-decoder/decoder-process/decoder-protocol.ts';
import {
  finalizeUpload,
  finishedResult,
  inspectPhoto,
  reloadResult,
  type PhotoDetails,
  type UploadResult,
} from './finalize-upload.ts';
import { UNUSED_UPLOAD_LIFETIME_MS } from './sign-upload-url.ts';
import { withStagedObject, type StagedObject } from './staged-object.ts';
import { findUpload, markUploadUsed, type UploadRow } from './upload-queries.ts';

type Request = z.output<typeof CompleteUploadRequest> & Pick<PhotoDetails, 'timeZone'>;

/** Idempotent. Inspects a copy under a key that no signed URL can write, so that it cannot change. */
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
  if (now.getTime() - (upload.lastUsedAt ?? upload.createdAt).getTime() > UNUSED_UPLOAD_LIFETIME_MS)
    return { kind: 'rejected', reason: 'expired' };
  await markUploadUsed(db, upload.id, now);
  try {
    // Each call stages its own copy, so that no row is locked while the storage works. The first to finish wins.
    const result = await imageDecoder.withSlot(ownerId, () =>
      withStagedObject(context, ownerId, (staged) => {
        const store = () => copyAndInspect(context, upload, staged);
        return finalizeUpload(context, upload, { source: 'web', ...details }, { staged, store });
      }),
    );
    // The purge of uploads deletes what cannot be deleted now.
    await storage.closeUpload(upload.id).catch(() => undefined);
    return result;
  } catch (error) {
    // A concurrent call may have completed the upload and deleted the bytes to copy.
    const result = error instanceof ConflictError && (await reloadResult(db, upload));
    if (result) return result;
    throw error;
  }
}

async function copyAndInspect(
  context: AppContext,
  { id, ownerId, sha256 }: UploadRow,
  staged: StagedObject,
): Promise<InspectedImage | RejectionReason> {
  const { storage } = context;
  const { key } = staged;
  if (!(await storage.copyUpload(id, key)))
    throw new ConflictError('Nothing has been uploaded to this address yet.');
  // Before reading: the storage may hold more than fits into memory.
  if (((await storage.sizeOf(key)) ?? 0) > MAX_UPLOAD_BYTES) return 'too-large';
  const bytes = await storage.read(key);
  if (!bytes) return 'not-a-photo';
  if (sha256 !== null && (await hash(bytes)) !== sha256) return 'corrupted';
  return inspectPhoto(context, ownerId, staged.id, bytes);
}

/** On another thread: 10 MB would block this one for some 20 ms. */
async function hash(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
