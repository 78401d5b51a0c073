import { APIError } from 'openai';
import { ArtistUnavailableError, CaricatureRefusedError } from './caricature-generator.ts';
import { parseRetryAfter } from '../retry-after.ts';

/** An error that came with an answer. */
type Answer = APIError<number, Headers | undefined, object | undefined>;

type Refusal = CaricatureRefusedError['reason'];

const DECLINED = new Set(['moderation_blocked', 'content_policy_violation']);
const UNPAID = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);

const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * In words of ours: the service's own say which key was wrong, and may say anything. What it calls a refusal is one for
 * good; a pause, a fault of its own and every broken connection is none.
 */
export function explainOpenaiError(error: unknown): CaricatureRefusedError | ArtistUnavailableError {
  if (!isAnswer(error)) {
    const name = error instanceof Error ? error.constructor.name : typeof error;
    return new ArtistUnavailableError(`OpenAI did not answer: ${name}`, { isFree: isNeverConnected(error) });
  }
  const answer = ['OpenAI answered', error.status, plain(error.code), plain(error.requestID)]
    .filter(Boolean)
    .join(' ');
  const refusal = refusalOf(error);
  // A finished picture may be declined, too. A 5xx or a time-out may come from a gateway while the service draws.
  const isFree = refusal === 'moderation' ? false : error.status < 500 && error.status !== 408;
  return refusal
    ? new CaricatureRefusedError(refusal, answer, isFree)
    : new ArtistUnavailableError(answer, {
        retryAfterSeconds: parseRetryAfter(error.headers?.get('retry-after')),
        isFree,
      });
}

/** Nothing was sent: the name was not found, or nobody listens there. */
function isNeverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && NEVER_CONNECTED.has(code)) || isNeverConnected(error.cause);
}

function isAnswer(error: unknown): error is Answer {
  return error instanceof APIError && typeof error.status === 'number';
}

function refusalOf({ status, code, type, param, message }: Answer): Refusal | null {
  if (DECLINED.has(code ?? '') || (status === 400 && /safety system/i.test(message))) return 'moderation';
  if (UNPAID.has(code ?? '') || UNPAID.has(type ?? '') || status === 402) return 'no-credit';
  switch (status) {
    // No such model is as much a matter of our settings as no such key.
    case 401:
    case 403:
    case 404:
      return 'bad-key';
    case 400:
    case 422:
      // What is wrong with a model, a size or a prompt is wrong with every photo.
      return param && !param.startsWith('image') ? 'bad-key' : 'bad-input';
    case 413:
    case 415:
      return 'bad-input';
    default:
      return null;
  }
}

/** An identifier, and nothing that could hold a key. */
function plain(text: string | null | undefined): string | null {
  return text && /^[a-z0-9_]{1,64}$/i.test(text) ? text : null;
}
