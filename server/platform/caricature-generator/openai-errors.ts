import { APIError } from 'openai';
import { GeneratorUnavailableError, CaricatureRejectedError } from './caricature-generator.ts';
import { parseRetryAfter } from '../limits/retry-after.ts';

/** An error with an HTTP response. */
type ResponseError = APIError<number, Headers | undefined, object | undefined>;

const MODERATION_CODES = new Set(['moderation_blocked', 'content_policy_violation']);
const BILLING_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
const CONNECT_ERROR_CODES = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** Leaves the service's own message out, since it may quote the API key. */
export function toCaricatureError(error: unknown): CaricatureRejectedError | GeneratorUnavailableError {
  if (!isResponseError(error)) {
    const name = error instanceof Error ? error.constructor.name : typeof error;
    return new GeneratorUnavailableError(`OpenAI did not answer: ${name}`, { isFree: isConnectError(error) });
  }
  const message = ['OpenAI answered', error.status, toIdentifier(error.code), toIdentifier(error.requestID)]
    .filter(Boolean)
    .join(' ');
  const reason = permanentReason(error);
  // Moderation may decline a finished, charged image. A 5xx or 408 may come from a gateway while the model still runs.
  const isFree = reason === 'moderation' ? false : error.status < 500 && error.status !== 408;
  return reason
    ? new CaricatureRejectedError(reason, message, isFree)
    : new GeneratorUnavailableError(message, {
        retryAfterSeconds: parseRetryAfter(error.headers?.get('retry-after')),
        isFree,
      });
}

/** The request was never sent: DNS failed or the connection was refused. */
function isConnectError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return CONNECT_ERROR_CODES.test(code) || isConnectError(error.cause);
}

function isResponseError(error: unknown): error is ResponseError {
  return error instanceof APIError && typeof error.status === 'number';
}

function permanentReason(error: ResponseError): CaricatureRejectedError['reason'] | null {
  const { status, code, type, param, message } = error;
  if (MODERATION_CODES.has(code ?? '') || (status === 400 && /safety system/i.test(message)))
    return 'moderation';
  if (BILLING_CODES.has(code ?? '') || BILLING_CODES.has(type ?? '') || status === 402) return 'no-credit';
  switch (status) {
    case 401:
    case 403:
    // An unknown model is a configuration error too.
    case 404:
      return 'bad-key';
    case 400:
    case 422:
      // An invalid model, size or prompt fails for every photo.
      return param && !param.startsWith('image') ? 'bad-key' : 'bad-input';
    case 413:
    case 415:
      return 'bad-input';
    default:
      return null;
  }
}

/** Null for free text, which may contain the API key. */
function toIdentifier(text: string | null | undefined): string | null {
  return text && /^[a-z0-9_]{1,64}$/i.test(text) ? text : null;
}
