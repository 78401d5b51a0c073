import { SESSION_LOST } from '#shared/api/api-error';
import { DECODE_TIMEOUT } from '#shared/transfers/upload';
import type { SecurityDetails, SecurityEvent } from './security/security-events.ts';

/** An error response, written by `http/error-handler`. The message is shown to users. */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly status: number,
    message: string,
    readonly details: {
      code?: string;
      fields?: Record<string, string>;
      email?: string;
      retryAfterSeconds?: number;
      /** For the security log. */
      security?: { event: SecurityEvent; userId?: string; details?: SecurityDetails };
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Invalid JSON or a wrong content type. */
export class MalformedError extends AppError {
  constructor(message: string) {
    super(400, message);
  }
}

export class UnauthorizedError extends AppError {
  /** @param message unless there is no valid session */
  constructor(message?: string, security?: AppError['details']['security']) {
    super(401, message ?? 'Unauthorized', {
      ...(message === undefined && { code: SESSION_LOST }),
      ...(security && { security }),
    });
  }
}

export class ForbiddenError extends AppError {
  constructor(message: string, event: SecurityEvent = 'access-denied', details: SecurityDetails = {}) {
    super(403, message, { security: { event, details } });
  }
}

/** Missing or another user's: the same response. */
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
  constructor(message: string, security?: AppError['details']['security'], code?: string) {
    super(413, message, { ...(security && { security }), ...(code && { code }) });
  }
}

export const UNSUPPORTED_IMAGE_MESSAGES = {
  'not-a-photo':
    'This file is not a photo we can read. Please use a JPEG, PNG, WebP, AVIF, GIF or HEIC picture.',
  video: 'Videos cannot be added, only photos.',
  damaged: 'This photo is damaged and cannot be read. Please try another copy of it.',
  'too-many-pixels':
    'This photo has more pixels than we can take (108 megapixels for JPEG, 50 for HEIC and AVIF, 100 for others). Please use a smaller copy.',
};

/** The decoder cannot read these bytes as an image. */
export class UnsupportedImageError extends AppError {
  constructor(readonly reason: keyof typeof UNSUPPORTED_IMAGE_MESSAGES) {
    super(415, UNSUPPORTED_IMAGE_MESSAGES[reason], {
      security: { event: 'refused-photo', details: { reason } },
    });
  }
}

/**
 * The decoder took too long: because of this image, or because the machine was busy. So the image is not rejected, and
 * jobs and clients retry after `DECODE_RETRY_SECONDS` at the earliest.
 */
export class DecodeTimeoutError extends AppError {
  constructor() {
    const message = 'This photo took too long to read. You can try again in ten minutes.';
    super(503, message, {
      code: DECODE_TIMEOUT,
      retryAfterSeconds: DECODE_RETRY_SECONDS,
      security: { event: 'refused-photo', details: { reason: 'too-slow' } },
    });
  }
}

export const DECODE_RETRY_SECONDS = 10 * 60;
/** Of a job. Each may take the decoder as long as its timeout. */
export const MAX_DECODE_ATTEMPTS = 3;

export class InvalidError extends AppError {
  constructor(message: string, fields: Record<string, string>) {
    super(422, message, { fields });
  }
}

export class TooManyRequestsError extends AppError {
  constructor(message: string, retryAfterSeconds: number, limit = 'capacity', code?: string) {
    const security = { event: 'rate-limit', details: { limit } } as const;
    super(429, message, { retryAfterSeconds, security, ...(code && { code }) });
  }
}

/** The disk of this installation is almost full. */
export class InsufficientStorageError extends AppError {
  constructor(cause?: unknown) {
    const message = 'There is no room for more at the moment. Please tell the person who runs this album.';
    super(507, message, {}, { cause });
  }
}

/** The database, the storage or another service is down. */
export class UnavailableError extends AppError {
  constructor(
    message = 'Part of our service is not responding. Please try again in a moment.',
    cause?: unknown,
    retryAfterSeconds = 5,
  ) {
    super(503, message, { retryAfterSeconds }, { cause });
  }
}
