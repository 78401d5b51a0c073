import { Router, type RequestHandler } from 'express';
import multer, { MulterError } from 'multer';
import { MAX_UPLOAD_BYTES } from '#shared/upload';
import {
  InvalidError,
  MalformedError,
  TooLargeError,
  TooManyRequestsError,
  UnavailableError,
  type AppError,
} from '../../platform/errors.ts';
import { PHOTO_TOO_LARGE } from './upload-errors.ts';
import { currentUser } from '../sessions/require-user.ts';

/** All texts together, as JSON may have. */
const TEXT_MAX_BYTES = 256 * 1024;
const MAX_FIELDS = 30;
/** With room for what stands between the parts. */
const FORM_MAX_BYTES = MAX_UPLOAD_BYTES + 2 * TEXT_MAX_BYTES;

/** A photo is held in memory while it is received and worked on. */
const MOST_AT_ONCE = 10;
const MOST_AT_ONCE_PER_USER = 3;

/**
 * Reads a multipart form with at most one photo: its texts are `request.body` then, the photo is `request.file`.
 * JSON stays as it was read. For signed-in people only.
 */
export function receiveForm(photoField: string): RequestHandler {
  const read = multer({
    limits: {
      fileSize: MAX_UPLOAD_BYTES,
      fieldSize: TEXT_MAX_BYTES,
      fields: MAX_FIELDS,
      parts: MAX_FIELDS + 1,
      fieldNameSize: 100,
      fieldNestingDepth: 0,
      headerPairs: 20,
    },
  }).single(photoField);
  const readForm: RequestHandler = (request, response, next) =>
    void read(request, response, (error: unknown) => next(error ? explain(error, photoField) : undefined));
  return Router().use(limitForms(), readForm, limitTexts);
}

/** Refuses what is too large by its own word, and more large forms at once than there should be memory for. */
function limitForms(): RequestHandler {
  const inWork = new Map<string, number>();
  const count = (userId: string, change: 1 | -1) => {
    const now = (inWork.get(userId) ?? 0) + change;
    if (now > 0) inWork.set(userId, now);
    else inWork.delete(userId);
  };
  return (request, response, next) => {
    const length = request.get('Content-Length');
    if (!request.is('multipart') || Number(length ?? Infinity) <= TEXT_MAX_BYTES) return next();
    if (length && Number(length) > FORM_MAX_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
    const { id } = currentUser(request);
    const tooMany = 'We’re busy right now. Please try again in a moment.';
    if ((inWork.get(id) ?? 0) >= MOST_AT_ONCE_PER_USER) throw new TooManyRequestsError(tooMany, 5);
    if ([...inWork.values()].reduce((sum, each) => sum + each, 0) >= MOST_AT_ONCE) {
      throw new UnavailableError(tooMany);
    }
    count(id, 1);
    response.once('close', () => count(id, -1));
    next();
  };
}

const limitTexts: RequestHandler = (request, _response, next) => {
  const texts = Object.entries((request.body ?? {}) as object).flat();
  const size = texts.reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)), 0);
  if (size > TEXT_MAX_BYTES) throw new TooLargeError(TEXT_TOO_LARGE);
  next();
};

const TEXT_TOO_LARGE = 'This text is too long.';

/** What multer and its parser refuse, in plain words; whatever it is, the form is at fault. */
function explain(error: unknown, photoField: string): AppError {
  const code = error instanceof MulterError ? error.code : null;
  if (code === 'LIMIT_FILE_SIZE') return new TooLargeError(PHOTO_TOO_LARGE);
  if (code === 'LIMIT_FIELD_VALUE') return new TooLargeError(TEXT_TOO_LARGE);
  if (code === 'LIMIT_UNEXPECTED_FILE') {
    const message = `Please send one picture, as ${photoField}.`;
    return new InvalidError(message, { [photoField]: message });
  }
  return new MalformedError('This form could not be read, or was cut off.');
}
