import type { AppContext } from '../../platform/context.ts';
import type { MessageMedia } from '../../platform/db/schema/inbound-sms.ts';
import { InvalidError, TooLargeError } from '../../platform/errors.ts';
import { MediaRefusedError } from '../../platform/sms/media-source.ts';
import { PHOTO_TOO_LARGE } from '../uploads/upload-errors.ts';
import { findUser, userTimeZone } from '../users/user-queries.ts';
import { answerMms } from './answer-sms.ts';
import { ingestPhoto, type PhotoOutcome } from '../uploads/ingest-photo.ts';
import type { InboundMessageRow } from './inbound-sms-queries.ts';
import { MOST_PHOTOS, REFUSALS, replyToPhotos } from './sms-replies.ts';
import { MOST_TRIES, TRY_MS } from './photo-attempts.ts';

type Context = Pick<
  AppContext,
  'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder' | 'mediaSource' | 'logger' | 'rateLimits'
>;

/**
 * Each photo by itself: one that cannot be had, or is none, keeps no other from becoming a memory. Once something has
 * come of each of them, the sender hears of all.
 * @throws when some have to be tried again
 */
export async function addTextedPhotos(context: Context, message: InboundMessageRow): Promise<void> {
  const owner = await findUser(context.db, message.ownerId);
  if (!owner) return;
  const isLastTry = message.tries >= MOST_TRIES;
  const tryEnd = AbortSignal.timeout(TRY_MS);
  const outcomes: PhotoOutcome[] = [];
  const failures: unknown[] = [];
  for (const [position, media] of message.media.entries()) {
    try {
      outcomes.push(
        await ingestPhoto(context, {
          ownerId: owner.id,
          inboundMessageId: message.id,
          position,
          story: {
            source: 'mms',
            timeZone: userTimeZone(owner),
            petId: message.petId,
            caption: message.caption,
          },
          read: () => fetchPhoto(context, media, position, tryEnd),
        }),
      );
    } catch (error) {
      failures.push(error);
      if (isLastTry)
        context.logger.error({ err: error, messageId: message.id }, 'A texted photo was given up');
      outcomes.push({ status: 'refused', message: REFUSALS.unreachable });
    }
  }
  if (failures.length > 0 && !isLastTry) throw failures[0];
  await answerMms(context, message, (_tx, pets) => {
    const petName = pets.find(({ id }) => id === message.petId)?.name ?? null;
    return replyToPhotos(outcomes, { petName, hasPets: pets.length > 0 });
  });
}

/** @throws InvalidError, TooLargeError when there is no photo to be had from there */
async function fetchPhoto(
  { mediaSource, logger }: Context,
  { url, contentType }: MessageMedia,
  position: number,
  tryEnd: AbortSignal,
): Promise<Buffer> {
  if (position >= MOST_PHOTOS) throw new InvalidError(REFUSALS.tooMany, {});
  if (isVideo(contentType)) throw new InvalidError(REFUSALS.video, {});
  tryEnd.throwIfAborted();
  try {
    const media = await mediaSource.download(url, tryEnd);
    if (isVideo(media.contentType)) throw new InvalidError(REFUSALS.video, {});
    return media.bytes;
  } catch (error) {
    if (!(error instanceof MediaRefusedError)) throw error;
    logger.warn({ err: error }, 'A texted photo was not fetched');
    throw error.reason === 'tooLarge'
      ? new TooLargeError(PHOTO_TOO_LARGE)
      : new InvalidError(REFUSALS.gone, {});
  }
}

function isVideo(contentType: string): boolean {
  return /^video\//i.test(contentType.trim());
}
