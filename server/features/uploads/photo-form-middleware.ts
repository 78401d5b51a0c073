import { AsyncResource } from 'node:async_hooks';
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
import { PHOTO_TOO_LARGE } from './upload-rejection.ts';
import { currentUser } from '../sessions/require-user.ts';

/** Of all fields together, as for JSON bodies. */
const FIELDS_MAX_BYTES = 256 * 1024;
const MAX_FIELDS = 30;
/** With room for part headers. */
const FORM_MAX_BYTES = MAX_UPLOAD_BYTES + 2 * FIELDS_MAX_BYTES;

/** Forms in progress: each holds its photo in memory. */
const MAX_CONCURRENT_FORMS = 10;
const MAX_CONCURRENT_FORMS_PER_USER = 3;

/** Parses at most one photo into `request.file`. Leaves JSON bodies alone. Requires a session. */
export function parsePhotoForm(photoField: string): RequestHandler {
  const read = multer({
    limits: {
      fileSize: MAX_UPLOAD_BYTES,
      fieldSize: FIELDS_MAX_BYTES,
      fields: MAX_FIELDS,
      parts: MAX_FIELDS + 1,
      fieldNameSize: 100,
      fieldNestingDepth: 0,
      headerPairs: 20,
    },
  }).single(photoField);
  const readForm: RequestHandler = (request, response, next) =>
    void read(
      request,
      response,
      // Multer calls back in the context of the connection.
      AsyncResource.bind((error: unknown) => next(error ? toAppError(error, photoField) : undefined)),
    );
  return Router().use(limitForms(), readForm, limitFieldBytes);
}

function limitForms(): RequestHandler {
  const inProgress = new Map<string, number>();
  const count = (userId: string, change: 1 | -1) => {
    const now = (inProgress.get(userId) ?? 0) + change;
    if (now > 0) inProgress.set(userId, now);
    else inProgress.delete(userId);
  };
  return (request, response, next) => {
    const length = request.get('Content-Length');
    if (!request.is('multipart') || Number(length ?? Infinity) <= FIELDS_MAX_BYTES) return next();
    if (length && Number(length) > FORM_MAX_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
    const { id } = currentUser(request);
    const tooMany = 'We’re busy right now. Please try again in a moment.';
    if ((inProgress.get(id) ?? 0) >= MAX_CONCURRENT_FORMS_PER_USER)
      throw new TooManyRequestsError(tooMany, 5);
    if ([...inProgress.values()].reduce((sum, each) => sum + each, 0) >= MAX_CONCURRENT_FORMS) {
      throw new UnavailableError(tooMany);
    }
    count(id, 1);
    response.once('close', () => count(id, -1));
    next();
  };
}

const limitFieldBytes: RequestHandler = (request, _response, next) => {
  const fields = Object.entries((request.body ?? {}) as object).flat();
  const size = fields.reduce<number>((sum, field) => sum + Buffer.byteLength(String(field)), 0);
  if (size > FIELDS_MAX_BYTES) throw new TooLargeError(TEXT_TOO_LARGE);
  next();
};

const TEXT_TOO_LARGE = 'This text is too long.';

/** Every error of multer and its parser is the client's fault. */
function toAppError(error: unknown, photoField: string): AppError {
  const code = error instanceof MulterError ? error.code : null;
  if (code === 'LIMIT_FILE_SIZE') return new TooLargeError(PHOTO_TOO_LARGE);
  if (code === 'LIMIT_FIELD_VALUE') return new TooLargeError(TEXT_TOO_LARGE);
  if (code === 'LIMIT_UNEXPECTED_FILE') {
    const message = `Please send one photo, as ${photoField}.`;
    return new InvalidError(message, { [photoField]: message });
  }
  return new MalformedError('This form could not be read, or was cut off.');
}
