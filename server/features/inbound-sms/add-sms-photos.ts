import type { AppContext } from '../../platform/context.ts';
import type { MessageMedia } from '../../platform/db/schema/transfers/inbound-sms.ts';
import type { RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';
import { InsufficientStorageError } from '../../platform/errors.ts';
import { MediaRejectedError } from '../../platform/sms/media-source.ts';
import { timeoutSignal } from '../../platform/time/timeout-signal.ts';
import { isImage } from '../inbound-email/mime/image-bytes.ts';
import { parseCaption } from '../memories/parse-caption.ts';
import { listPetsToShare } from '../pets/pet-queries.ts';
import { ingestPhoto } from '../uploads/ingest-photo.ts';
import { SMS_MAX_PHOTOS } from '../uploads/upload-rejection.ts';
import { findUser, userTimeZone } from '../accounts/users/user-queries.ts';
import { replyToSms } from './reply-to-sms.ts';
import { updateMessage, type InboundMessageRow } from './inbound-sms-queries.ts';
import { isPhoneMedia, isTextMedia, toStorable } from './parse-sms.ts';
import { NO_PHOTO, replyToPhotos, type SmsPhotoResult } from './sms-replies.ts';

/** After the last one the sender gets a reply, about an hour after the SMS. */
export const MAX_ATTEMPTS = 10;
export const INGEST_SMS_EXPIRE_SECONDS = 120;
/** Well below the expiration, after which the job fails. */
const ATTEMPT_TIMEOUT_MS = (INGEST_SMS_EXPIRE_SECONDS / 2) * 1000;

/** A text message has at most 1,600 characters. */
const TEXT_MAX_LENGTH = 1_600;

/**
 * A broken photo does not affect the others. Without room, those that were not added before are rejected.
 * @throws when some should be retried, after a DecodeTimeoutError in ten minutes, and InsufficientStorageError when the disk has filled up in between
 */
export async function addSmsPhotos(
  context: AppContext,
  accepted: InboundMessageRow,
  hasRoom: boolean,
): Promise<void> {
  const owner = await findUser(context.db, accepted.ownerId);
  if (!owner) return;
  const isLastAttempt = accepted.attempts >= MAX_ATTEMPTS;
  const timeout = timeoutSignal(ATTEMPT_TIMEOUT_MS);
  const message = await readCaption(context, accepted, { hasRoom, isLastAttempt, timeout });
  const results: SmsPhotoResult[] = [];
  const errors: unknown[] = [];
  for (const [position, media] of message.media.entries()) {
    try {
      const result = await ingestPhoto(context, {
        ownerId: owner.id,
        inboundMessageId: message.id,
        position,
        attempts: message.attempts,
        details: {
          source: 'mms',
          timeZone: userTimeZone(owner),
          petId: message.petId,
          caption: message.caption,
        },
        read: () => (hasRoom ? fetchPhoto(context, media, position, timeout) : Promise.resolve('no-room')),
      });
      const isDuplicate = result.kind === 'completed' && result.before === 'album';
      results.push(isDuplicate ? { kind: 'rejected', reason: 'duplicate' } : result);
    } catch (error) {
      if (error instanceof PhoneMediaError) continue;
      if (error instanceof InsufficientStorageError && hasRoom) throw error;
      errors.push(error);
      if (isLastAttempt)
        context.logger.error({ err: error, messageId: message.id }, 'Gave up on a photo of an SMS');
      results.push({ kind: 'rejected', reason: 'unreachable' });
    }
  }
  if (errors.length > 0 && !isLastAttempt) throw errors[0];
  await replyToSms(context, message, (_tx, pets) => {
    if (results.length === 0) return NO_PHOTO;
    const petName = pets.find(({ id }) => id === message.petId)?.name ?? null;
    return replyToPhotos(results, { petName, hasPets: pets.length > 0, config: context.config });
  });
}

/** Takes the caption from a text beside the photos. It is parsed once, as a body is. @throws when it should be retried */
async function readCaption(
  context: AppContext,
  message: InboundMessageRow,
  { hasRoom, isLastAttempt, timeout }: { hasRoom: boolean; isLastAttempt: boolean; timeout: AbortSignal },
): Promise<InboundMessageRow> {
  const { db, mediaSource, logger } = context;
  const media = message.media.filter((each) => !isTextMedia(each));
  const text = message.media.find(isTextMedia);
  if (!text || !hasRoom) return { ...message, media };
  let caption = '';
  try {
    const { bytes } = await mediaSource.download(text.url, timeout);
    caption = toStorable(bytes.toString('utf8')).trim().slice(0, TEXT_MAX_LENGTH).toWellFormed();
  } catch (error) {
    if (!(error instanceof MediaRejectedError) && !isLastAttempt) throw error;
    logger.warn({ err: error, messageId: message.id }, 'The text of an SMS could not be downloaded');
  }
  return db.transaction(async (tx) => {
    const pets = await listPetsToShare(tx, message.ownerId);
    const parsed = parseCaption(caption, pets);
    const changes = { media, petId: parsed.pet?.id ?? null, caption: parsed.caption };
    await updateMessage(tx, message, changes);
    return { ...message, ...changes };
  });
}

class PhoneMediaError extends Error {}

async function fetchPhoto(
  { mediaSource, logger }: AppContext,
  { url, contentType }: MessageMedia,
  position: number,
  timeout: AbortSignal,
): Promise<Buffer | RejectionReason> {
  if (position >= SMS_MAX_PHOTOS) return 'too-many';
  if (isVideo(contentType)) return 'video';
  timeout.throwIfAborted();
  try {
    const media = await mediaSource.download(url, timeout);
    // Carriers declare some parts as photos, and the download tells.
    if (isPhoneMedia(media) && !isImage(media.bytes)) throw new PhoneMediaError();
    return isVideo(media.contentType) ? 'video' : media.bytes;
  } catch (error) {
    if (!(error instanceof MediaRejectedError)) throw error;
    logger.warn({ err: error }, 'A photo of an SMS could not be downloaded');
    return error.reason === 'tooLarge' ? 'too-large' : 'gone';
  }
}

function isVideo(contentType: string): boolean {
  return /^video\//i.test(contentType.trim());
}
