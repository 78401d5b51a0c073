import { AsyncResource } from 'node:async_hooks';
import { Router, type Request, type RequestHandler } from 'express';
import multer, { MulterError } from 'multer';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import { createAccountSlots } from '../../platform/limits/account-slots.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { InvalidError, MalformedError, TooLargeError, type AppError } from '../../platform/errors.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';
import { currentUser } from '../accounts/sessions/access/require-user.ts';

/** Of all fields together, as for JSON bodies. */
const FIELDS_MAX_BYTES = 256 * 1024;
const MAX_FIELDS = 30;
/** With room for part headers. */
const FORM_MAX_BYTES = MAX_UPLOAD_BYTES + 2 * FIELDS_MAX_BYTES;

/** Forms in progress: each holds its photo in memory. Nothing waits in line, as its connection would have to be read. */
const FORM_LIMITS = {
  slots: 3,
  total: 20,
  maxInLine: 0,
  maxWaitMs: 0,
  name: 'capacity',
  message: 'We’re busy right now. Please try again in a moment.',
};

/** Slower ones would keep their places for minutes. */
const MIN_BYTES_PER_SECOND = 10 * 1024;
const SPEED_GRACE_MS = 10_000;
const SPEED_CHECK_INTERVAL_MS = 1_000;

/** Parses at most one photo into `request.file`. Leaves JSON bodies alone. Requires a session. */
export function parsePhotoForm(photoField: string, clock: Clock): RequestHandler {
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
  return Router().use(limitForms(clock), readForm, limitFieldBytes);
}

function limitForms(clock: Clock): RequestHandler {
  const slots = createAccountSlots(FORM_LIMITS);
  return async (request, response, next) => {
    const length = request.get('Content-Length');
    if (!request.is('multipart') || Number(length ?? Infinity) <= FIELDS_MAX_BYTES) return next();
    if (length && Number(length) > FORM_MAX_BYTES) throw new TooLargeError(PHOTO_TOO_LARGE);
    const free = await slots.take(currentUser(request).id);
    if (response.destroyed) return free();
    response.once('close', free);
    requireSpeed(request, clock);
    next();
  };
}

/** Closes the connection of a form that arrives too slowly. */
function requireSpeed(request: Request, clock: Clock): void {
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  const startedAt = clock.now().getTime();
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer);
    const elapsedMs = clock.now().getTime() - startedAt;
    const minBytes = (elapsedMs / 1000) * MIN_BYTES_PER_SECOND;
    if (elapsedMs > SPEED_GRACE_MS && socket.bytesRead - bytesBefore < minBytes) request.destroy();
  }, SPEED_CHECK_INTERVAL_MS);
  request.once('close', () => clearInterval(timer));
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
