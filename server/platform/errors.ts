/**
 * An error response: services throw it, `http/error-handler` writes it. People read the message. For the statuses see the
 * API contract, "Rules for every call".
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly status: number,
    message: string,
    readonly details: { code?: string; fields?: Record<string, string>; retryAfterSeconds?: number } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The request cannot be parsed: broken JSON, a wrong content type. */
export class MalformedError extends AppError {
  constructor(message: string) {
    super(400, message);
  }
}

export class UnauthorizedError extends AppError {
  constructor(message = 'Unauthorized') {
    super(401, message);
  }
}

export class ForbiddenError extends AppError {
  constructor(message: string) {
    super(403, message);
  }
}

/** For rows that do not exist and for those of others. */
export class NotFoundError extends AppError {
  constructor(message = 'Not found') {
    super(404, message);
  }
}

export class ConflictError extends AppError {
  constructor(message: string, fields?: Record<string, string>) {
    super(409, message, fields ? { fields } : {});
  }
}

export class TooLargeError extends AppError {
  constructor(message: string) {
    super(413, message);
  }
}

/** The file is not an image that we can decode. */
export class UnsupportedImageError extends AppError {
  constructor(
    message = 'This file is not a photo we can read. Please use a JPEG, PNG, WebP, AVIF, GIF or HEIC picture.',
    cause?: unknown,
  ) {
    super(415, message, {}, { cause });
  }
}

/** Well-formed, but invalid. `fields` has a message for each wrong field. */
export class InvalidError extends AppError {
  constructor(message: string, fields: Record<string, string>) {
    super(422, message, { fields });
  }
}

export class TooManyRequestsError extends AppError {
  constructor(message: string, retryAfterSeconds: number) {
    super(429, message, { retryAfterSeconds });
  }
}

/** A service that the request needs is down. */
export class UnavailableError extends AppError {
  constructor(
    message = 'Part of our service is not responding. Please try again in a moment.',
    cause?: unknown,
    retryAfterSeconds = 5,
  ) {
    super(503, message, { retryAfterSeconds }, { cause });
  }
}
