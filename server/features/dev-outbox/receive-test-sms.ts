import multer, { MulterError } from 'multer';
import { InvalidError, MalformedError, type AppError } from '../../platform/errors.ts';
import { TEXT_MAX_PHOTOS } from './send-test-sms.ts';

const MEGABYTE = 1024 * 1024;
/** More than the album takes, so that one can see what becomes of a photo that is too large. */
const PHOTO_MAX_MEGABYTES = 25;

/** Reads the form of a test text: its photos are `request.files` then. */
export const readTestText = multer({
  limits: {
    fileSize: PHOTO_MAX_MEGABYTES * MEGABYTE,
    files: TEXT_MAX_PHOTOS,
    fieldSize: MEGABYTE,
    fields: 10,
    fieldNestingDepth: 0,
  },
}).array('photos');

/** What multer refuses, in plain words. */
export function explainForm(error: unknown): AppError {
  const code = error instanceof MulterError ? error.code : null;
  const message =
    code === 'LIMIT_FILE_COUNT'
      ? `A text carries at most ${TEXT_MAX_PHOTOS} photos.`
      : code === 'LIMIT_FILE_SIZE'
        ? `Please choose photos of at most ${PHOTO_MAX_MEGABYTES} MB each.`
        : null;
  return message
    ? new InvalidError(message, { photos: message })
    : new MalformedError('This form could not be read, or was cut off.');
}
