import { ApiError, isLostSession, serverMessage } from '../../lib/api-client.ts';

const INTERRUPTED = 'The connection was interrupted. Please check it and try again.';
const UNREACHABLE = "We couldn't reach the server. Please try again in a moment.";
const UNEXPECTED = 'Something unexpected happened. Please try again.';
/** Answers of a moment: the same request may well succeed later. 401 has its own way out. */
const PASSING = [401, 408, 409, 425, 429];
const GATEWAY_ERRORS = [502, 503, 504];
/** These two say that something is not implemented. */
const PERMANENT_SERVER_ERRORS = [501, 505];

/** The store did not take the photo; without a status when no answer came. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  constructor(
    readonly status: number | undefined,
    readonly body: string,
  ) {
    super(`The storage answered ${status ?? 'nothing'}`);
  }
}

/** Whether the server has looked at the photo and said no: trying again would change nothing. */
export function isRejection(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status >= 400 && error.status < 500 && !PASSING.includes(error.status);
}

/** Whether the same request may succeed a moment later without anybody doing anything: no answer, or a gateway's. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  if (error instanceof StorageError && error.status === undefined) return true;
  const status = statusOf(error);
  if (status === undefined) return false;
  return [408, 425, 429].includes(status) || (status >= 500 && !PERMANENT_SERVER_ERRORS.includes(status));
}

/** Whether the server knows of no photo at the address that could become a memory. */
export function isNotUploaded(error: unknown): boolean {
  return isRejection(error) || statusOf(error) === 409;
}

/** What went wrong, in words for a person: the server's where it had some. */
export function toUploadErrorMessage(error: unknown): string {
  if (isLostSession(error) || statusOf(error) === 401) return 'Authorization required';
  const message = serverMessage(error) ?? storageMessage(error);
  if (message) return message;
  const status = statusOf(error);
  if (status !== undefined && GATEWAY_ERRORS.includes(status)) return UNREACHABLE;
  const wasCutOff = error instanceof TypeError || status === undefined;
  return wasCutOff ? INTERRUPTED : UNEXPECTED;
}

/** The two steps of an upload that can fail. */
export type UploadStep = 'storage' | 'memory';

const WHEN = {
  storage: 'The photo could not be sent.',
  memory: 'The photo was sent, but the memory could not be saved.',
};

/** Where it went wrong, for whoever wants to know more. */
export function toUploadErrorDetails(step: UploadStep, error: unknown): string {
  const status = statusOf(error);
  return `${WHEN[step]} ${status === undefined ? 'The server did not answer.' : `The server answered ${status}.`}`;
}

/** The storage's own words: ours answers JSON, S3 answers XML. */
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

function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}
