import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ERROR_CODES, type ApiErrorBody } from '#shared/api/api-error';
import { isDatabaseUnavailable, unwrapQueryError } from '../db/database-errors.ts';
import type { SecurityLog } from '../logging/security-log.ts';
import {
  AppError,
  DecodeTimeoutError,
  MalformedError,
  NotFoundError,
  TooLargeError,
  UnavailableError,
  UnsupportedImageError,
} from '../errors.ts';
import { isSafeMethod } from './security/same-site.ts';

export const unknownRoute: RequestHandler = () => {
  throw new NotFoundError();
};

/** Records rejections in the security log. Before the error handler. */
export function recordRejections({ securityLog }: { securityLog: SecurityLog }): ErrorRequestHandler {
  return (error: unknown, request, _response, next) => {
    const security = findAppError(error)?.details.security;
    // A stored photo that cannot be shown is not one that was rejected.
    const isOfImage = error instanceof UnsupportedImageError || error instanceof DecodeTimeoutError;
    const isShown = isOfImage && isSafeMethod(request.method);
    if (security && !isShown) securityLog.record(security.event, 'refused', { request, ...security });
    next(error);
  };
}

export const errorHandler: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const appError = toAppError(error);
  // For the request log.
  if (appError.status >= 500) response.err = appError.cause ?? error;
  // Express closes the connection, so that the client notices the truncated response.
  if (response.headersSent) return next(error);
  for (const name of ['ETag', 'Content-Disposition']) response.removeHeader(name);
  if (appError.details.retryAfterSeconds)
    response.set('Retry-After', String(appError.details.retryAfterSeconds));
  const { code = ERROR_CODES[appError.status], fields, email } = appError.details;
  const body: ApiErrorBody = {
    message: appError.message,
    ...(code && { code }),
    ...(fields && { fields }),
    ...(email && { email }),
  };
  response.status(appError.status).set('Cache-Control', 'no-store').json(body);
};

function findAppError(error: unknown): AppError | null {
  const cause = unwrapQueryError(error);
  return cause instanceof AppError ? cause : null;
}

function toAppError(error: unknown): AppError {
  const appError = findAppError(error);
  if (appError) return appError;
  if (isDatabaseUnavailable(error)) return new UnavailableError(undefined, error);
  return (
    fromExpress(error) ??
    new AppError(500, 'Something went wrong on our side. Please try again.', {}, { cause: error })
  );
}

/** Express's own errors: a body that is too large or not JSON, a missing file, an invalid percent encoding. */
function fromExpress(error: unknown): AppError | null {
  if (!(error instanceof Error) || !('status' in error)) return null;
  if (error.status === 413) return new TooLargeError('This request is too large.');
  if (error.status === 404 || error instanceof URIError) return new NotFoundError();
  if (typeof error.status === 'number' && error.status >= 400 && error.status < 500) {
    return new MalformedError('This request could not be read.');
  }
  return null;
}
