import { TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { VENDOR_SIGN_IN_EXPIRED } from '#shared/transfers/remote-source';
import { ApiError, isLostSession, serverMessage } from '../../lib/api/api-client.ts';

const INTERRUPTED = 'The connection was interrupted. Please check it and try again.';
const UNREACHABLE = "We couldn't reach the server. Please try again in a moment.";
const UNEXPECTED = 'Something unexpected happened. Please try again.';
/** Not rejections, since 'Retry' may succeed: after a 401 once the user has signed in, after a 424 from another website. */
const NOT_REJECTED = [401, 408, 409, 424, 425, 429];
const TOO_LARGE = 413;
const GATEWAY_ERRORS = [502, 503, 504];

/** Undefined status: no response. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  constructor(
    readonly status: number | undefined,
    readonly body: string,
  ) {
    super(status === undefined ? 'No response from the storage' : `The storage responded with ${status}`);
  }
}

/** The connection to a remote upload was lost: the photo may be stored all the same. The messages are Companion's. */
export class RemoteConnectionError extends Error {
  override readonly name = 'RemoteConnectionError';
  constructor(
    override readonly message:
      'Socket closed unexpectedly' | 'Timeout waiting for message from Companion socket',
  ) {
    super(message);
  }
}

/** A vendor's grant for a remote source. The user is still signed in to the app. */
export function isSignInExpired(error: unknown): boolean {
  return error instanceof ApiError && error.body?.code === VENDOR_SIGN_IN_EXPIRED;
}

/** Whether the server rejected the photo permanently: a retry would not help. */
export function isRejection(error: unknown): boolean {
  // Also the storage's, or a proxy's before it.
  if (statusOf(error) === TOO_LARGE) return true;
  if (!(error instanceof ApiError)) return false;
  return error.status >= 400 && error.status < 500 && !NOT_REJECTED.includes(error.status);
}

/** Whether the server has no usable photo at the upload URL. */
export function isNotUploaded(error: unknown): boolean {
  return isRejection(error) || statusOf(error) === 409;
}

/** Why the photo was rejected, by the server, its storage or a proxy. Undefined if none of them said so. */
export function rejectionReason(error: unknown): string | undefined {
  const isTooLarge = statusOf(error) === TOO_LARGE;
  return serverMessage(error) ?? storageMessage(error) ?? (isTooLarge ? TOO_LARGE_FOR_SERVER : undefined);
}

export function toUploadErrorMessage(error: unknown): string {
  const isSignedOut = isLostSession(error) || statusOf(error) === 401;
  if (isSignedOut && !isSignInExpired(error)) return 'Authorization required';
  const message = rejectionReason(error);
  if (message) return message;
  const status = statusOf(error);
  if (status !== undefined && GATEWAY_ERRORS.includes(status)) return UNREACHABLE;
  const hasNoResponse = error instanceof TypeError || status === undefined;
  return hasNoResponse ? INTERRUPTED : UNEXPECTED;
}

export type UploadStep = 'storage' | 'memory';

const STEP_ERRORS = {
  storage: 'The photo could not be sent.',
  memory: 'The photo was sent, but the memory could not be saved.',
};

export function toUploadErrorDetails(step: UploadStep, error: unknown): string {
  if (error instanceof RemoteConnectionError) return `${STEP_ERRORS[step]} ${error.message}.`;
  const status = statusOf(error);
  return `${STEP_ERRORS[step]} ${status === undefined ? 'The server did not answer.' : `The server answered ${status}.`}`;
}

/** Our own storage responds with JSON, S3 with XML. */
function storageMessage(error: unknown): string | undefined {
  const body = typeof error === 'object' && error !== null && 'body' in error ? error.body : undefined;
  if (typeof body !== 'string') return undefined;
  const xml = /<Message>([^<]+)<\/Message>/.exec(body)?.[1];
  if (xml) return xml;
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

export function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
