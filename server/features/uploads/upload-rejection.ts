import { MAX_BATCH_PHOTO_BYTES, MAX_UPLOAD_BYTES } from '#shared/upload';
import type { Config } from '../../platform/config/config.ts';
import type { RejectionReason } from '../../platform/db/schema/uploads.ts';
import { AppError, TooLargeError, UNSUPPORTED_IMAGE_MESSAGES } from '../../platform/errors.ts';

export const PHOTO_TOO_LARGE = photoTooLarge(MAX_UPLOAD_BYTES);

export function maxPhotoBytes({ batchId }: { batchId?: string | null | undefined }): number {
  return batchId ? MAX_BATCH_PHOTO_BYTES : MAX_UPLOAD_BYTES;
}

export function photoTooLarge(maxBytes: number): string {
  return `This photo is larger than ${maxBytes / 1024 ** 2} MB.`;
}

export const SMS_MAX_PHOTOS = 10;

const GIBIBYTE = 1024 ** 3;

const MESSAGES: Record<Exclude<RejectionReason, 'album-full'>, string> = {
  ...UNSUPPORTED_IMAGE_MESSAGES,
  'too-slow': 'This photo took too long to read. Please send a smaller copy of it.',
  corrupted: 'The photo arrived damaged. Please try again.',
  'too-large': PHOTO_TOO_LARGE,
  'no-room':
    'There was no room for this photo. Please tell the person who runs this album, and send it again later.',
  video: 'Videos cannot be added, only photos.',
  'too-many': `One text adds at most ${SMS_MAX_PHOTOS} photos.`,
  gone: 'This photo could not be fetched. Please send it again.',
  expired: 'This upload has expired. Please add the photo again.',
  discarded: 'This upload was discarded.',
};

/** `isUntilVerified`: an unverified account's, which a verified address lifts. */
export type OwnLimits = Pick<Config, 'limits'> & { isUntilVerified?: boolean };

export function rejectionMessage(
  reason: RejectionReason,
  { limits, isUntilVerified = false }: OwnLimits,
): string {
  if (reason !== 'album-full') return MESSAGES[reason];
  if (isUntilVerified) return FULL_UNTIL_VERIFIED;
  const size = Number((limits.storageBytesPerUser / GIBIBYTE).toPrecision(3));
  return `Your album is full: it holds ${size} GB of photos. Delete some for good to make room for new ones.`;
}

const FULL_UNTIL_VERIFIED =
  'Your album is full: it holds 100 MB until you confirm your email address. Please confirm it to add more.';

const STATUSES: Record<RejectionReason, number> = {
  'not-a-photo': 415,
  damaged: 415,
  // As before anything was uploaded: the client sends the photo to a new URL.
  corrupted: 409,
  'too-many-pixels': 415,
  'too-slow': 415,
  'too-large': 413,
  'album-full': 413,
  'no-room': 507,
  video: 422,
  'too-many': 422,
  gone: 422,
  expired: 404,
  discarded: 404,
};

export class AlbumFullError extends TooLargeError {}

/** Of the photo itself, not of the album or the disk. */
const REFUSED_PHOTOS = new Set<RejectionReason>([
  'not-a-photo',
  'damaged',
  'too-many-pixels',
  'too-slow',
  'too-large',
  'video',
]);

/** For the security log; undefined if nothing is wrong with the photo. */
export function refusedPhoto(reason: RejectionReason): AppError['details']['security'] {
  return REFUSED_PHOTOS.has(reason) ? { event: 'refused-photo', details: { reason } } : undefined;
}

export function rejectionError(reason: RejectionReason, config: OwnLimits): AppError {
  const message = rejectionMessage(reason, config);
  if (reason === 'album-full') return new AlbumFullError(message);
  const security = refusedPhoto(reason);
  if (STATUSES[reason] === 413) return new TooLargeError(message, security);
  return new AppError(STATUSES[reason], message, security && { security });
}
