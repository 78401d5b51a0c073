import { MAX_UPLOAD_BYTES } from '#shared/upload';
import type { AppContext } from '../../platform/context.ts';
import { TooLargeError } from '../../platform/errors.ts';
import { isRefusal, settleUpload, type UploadStory } from './finalize-upload.ts';
import { originalKey } from './staged-object.ts';
import { getUploadOfMessage, type UploadRow } from './upload-queries.ts';
import { PHOTO_TOO_LARGE } from './upload-errors.ts';

/** A photo of a message that was taken in. */
export type IncomingPhoto = {
  ownerId: string;
  inboundMessageId: string;
  /** Its place among the message's photos, from 0. */
  position: number;
  story: UploadStory;
  /** Its bytes; asked for only when they are needed. */
  read: () => Promise<Buffer>;
};

/** What came of a photo: a memory (null once that is gone for good), or a refusal in words for its sender. */
export type PhotoOutcome =
  { status: 'added'; memoryId: string | null } | { status: 'refused'; message: string };

/**
 * Makes one photo of a message a memory, by the rules of an upload. Once, however often its job runs: what came of the
 * photo is kept, and is the answer from then on. `read` refuses it by an AppError of 413, 415 or 422.
 *
 * @throws when it can be tried again
 */
export async function ingestPhoto(
  context: Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>,
  { ownerId, inboundMessageId, position, story, read }: IncomingPhoto,
): Promise<PhotoOutcome> {
  const { db, storage, clock, imageDecoder } = context;
  const upload = await getUploadOfMessage(db, ownerId, { inboundMessageId, position }, clock.now());
  const earlier = outcomeOf(upload);
  if (earlier) return earlier;
  try {
    const store = async () => {
      const bytes = await read();
      if (bytes.length > MAX_UPLOAD_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
      const image = await imageDecoder.inspect(bytes);
      await storage.write(originalKey(upload.id), bytes, image.contentType);
      return image;
    };
    const memory = await settleUpload(context, upload, story, { staged: null, store });
    return { status: 'added', memoryId: memory.id };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { status: 'refused', message: error.message };
  }
}

function outcomeOf({ status, memoryId, refusalMessage }: UploadRow): PhotoOutcome | null {
  if (status === 'completed') return { status: 'added', memoryId };
  return status === 'refused' ? { status, message: refusalMessage ?? '' } : null;
}
