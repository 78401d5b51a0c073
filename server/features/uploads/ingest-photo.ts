import type { AppContext } from '../../platform/context.ts';
import type { RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';
import { MAX_DECODE_ATTEMPTS } from '../../platform/errors.ts';
import {
  finalizeUpload,
  finishedResult,
  inspectPhoto,
  type PhotoDetails,
  type UploadResult,
} from './finalize-upload.ts';
import { originalKey } from '../images/staged-object.ts';
import type { NewImage } from '../images/image-queries.ts';
import type { UploadRow } from '../storage/open-upload-queries.ts';
import { getUploadOfMessage } from './upload-queries.ts';
import { rejectedPhoto } from './upload-rejection.ts';

/** Since its message arrived: then the photo was added or rejected, and the purge deletes what is left of it. */
export const INGEST_PHOTO_TIMEOUT_MS = 28 * 60 * 60 * 1000;

export type IncomingPhoto = {
  ownerId: string;
  inboundMessageId: string;
  position: number;
  /** Of the message. */
  attempts: number;
  details: PhotoDetails;
  /** Its bytes, or why it has none. Called only if the photo has no result yet. */
  read: () => Promise<Buffer | RejectionReason>;
};

/** Idempotent by the photo's position in the message. @throws when it should be retried, after a DecodeTimeoutError in ten minutes */
export async function ingestPhoto(
  context: AppContext,
  { ownerId, inboundMessageId, position, attempts, details, read }: IncomingPhoto,
): Promise<UploadResult> {
  const { db, clock, securityLog } = context;
  const upload = await getUploadOfMessage(db, ownerId, { inboundMessageId, position }, clock.now());
  const finished = await finishedResult(db, upload);
  if (finished) return finished;
  const bytes = await read();
  const isLastAttempt = attempts >= MAX_DECODE_ATTEMPTS;
  const image =
    typeof bytes === 'string' ? bytes : await inspectAndStore(context, upload, bytes, isLastAttempt);
  const result = await finalizeUpload(context, upload, details, { staged: null, image });
  const rejected = result.kind === 'rejected' && rejectedPhoto(result.reason);
  if (rejected) {
    const { event, details: why } = rejected;
    securityLog.record(event, 'refused', { userId: ownerId, details: { of: details.source, ...why } });
  }
  return result;
}

async function inspectAndStore(
  context: AppContext,
  { ownerId, id }: UploadRow,
  bytes: Buffer,
  isLastAttempt: boolean,
): Promise<NewImage | RejectionReason> {
  const image = await inspectPhoto(context, ownerId, id, bytes, { isLastAttempt });
  if (typeof image !== 'string')
    await context.storage.write(originalKey(id), bytes, image.contentType, 'accepted');
  return image;
}
