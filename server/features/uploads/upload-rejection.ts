import type { RejectionReason } from '../../platform/db/schema/transfers/uploads.ts';
import { AppError, TooLargeError, UNSUPPORTED_IMAGE_MESSAGES } from '../../platform/errors.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';
import { AlbumFullError, albumFullMessage, type UserLimits } from '../storage/storage-limit.ts';

export const SMS_MAX_PHOTOS = 10;

const MESSAGES: Record<Exclude<RejectionReason, 'album-full'>, string> = {
  ...UNSUPPORTED_IMAGE_MESSAGES,
  'too-slow': 'This photo took too long to read. Please send a smaller copy of it.',
  corrupted: 'The photo arrived damaged. Please try again.',
  'too-large': PHOTO_TOO_LARGE,
  'no-room':
    'There was no room for this photo. Please tell the person who runs this album, and send it again later.',
  'too-many': `One text adds at most ${SMS_MAX_PHOTOS} photos.`,
  gone: 'This photo could not be fetched. Please send it again.',
  expired: 'This upload has expired. Please add the photo again.',
  discarded: 'This upload was discarded.',
};

export function rejectionMessage(reason: RejectionReason, limits: UserLimits): string {
  return reason === 'album-full' ? albumFullMessage(limits) : MESSAGES[reason];
}

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
  video: 415,
  'too-many': 422,
  gone: 422,
  expired: 404,
  discarded: 404,
};

/** Of the photo itself, not of the album or the disk. */
const REJECTED_PHOTOS = new Set<RejectionReason>([
  'not-a-photo',
  'damaged',
  'too-many-pixels',
  'too-slow',
  'too-large',
  'video',
]);

/** For the security log; undefined if nothing is wrong with the photo. */
export function rejectedPhoto(reason: RejectionReason): AppError['details']['security'] {
  return REJECTED_PHOTOS.has(reason) ? { event: 'refused-photo', details: { reason } } : undefined;
}

export function rejectionError(reason: RejectionReason, limits: UserLimits): AppError {
  const message = rejectionMessage(reason, limits);
  if (reason === 'album-full') return new AlbumFullError(message);
  const security = rejectedPhoto(reason);
  if (STATUSES[reason] === 413) return new TooLargeError(message, security);
  return new AppError(STATUSES[reason], message, security && { security });
}
