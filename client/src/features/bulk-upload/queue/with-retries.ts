import { ApiError } from '../../../lib/api/api-client.ts';
import { isTransient } from '../../uploads/retries.ts';
import type { ChosenFile } from './queued-photo.ts';

const MAX_ATTEMPTS = 8;
const MAX_DELAY_MS = 30_000;

/** The browser can no longer read a chosen file. */
export class UnreadableError extends Error {}

interface RetryOptions {
  signal: AbortSignal;
  onWait: () => void;
  onResult: () => void;
  /** What is sent: where it can no longer be read, its fault looks like one of the network. */
  file?: ChosenFile | undefined;
}

/** Repeats what may succeed later: without a connection as long as it takes, with one up to MAX_ATTEMPTS times. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, onWait, onResult, file }: RetryOptions,
): Promise<Result> {
  for (let attempts = 1; ;) {
    signal.throwIfAborted();
    try {
      const result = await attempt();
      onResult();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const isNetwork = isNetworkError(error);
      if (isNetwork && file && !(await isReadable(file))) throw new UnreadableError();
      if (!isNetwork && !isConflict(error) && !isTransient(error)) throw error;
      if (!isNetwork && !isBusy(error) && attempts++ >= MAX_ATTEMPTS) throw error;
      const retryAfter = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
      onWait();
      await pauseFor(Math.max(retryAfter, Math.min(1000 * 2 ** attempts, MAX_DELAY_MS)), signal);
    }
  }
}

function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
}

/** The server asks to wait: that is no failure of the photo. */
function isBusy(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

/** The photo is sent to a new URL, or with a new batch. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

async function isReadable(file: ChosenFile): Promise<boolean> {
  try {
    await (await file.read()).slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Also ends when the browser goes online again. */
function pauseFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, delayMs);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
