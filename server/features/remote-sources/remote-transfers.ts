import type { EventEmitter } from 'node:events';
import { TOO_LARGE_FOR_SERVER } from '#shared/api/api-error';
import { REMOTE_ERRORS } from '#shared/transfers/remote-source';
import { TooManyRequestsError } from '../../platform/errors.ts';
import type { GetErrorReason } from '../../platform/public-http/get-public-url.ts';
import { toLinkError } from './linked-photo.ts';
import { PHOTO_TOO_LARGE } from '../storage/photo-size.ts';

/** Concurrent transfers. */
const MAX_TOTAL = 30;
/** A tenth, so that no account can keep the others from theirs. */
const MAX_PER_USER = 3;
const BUSY_RETRY_SECONDS = 5;

export type TransferTimeouts = {
  /** The browser opens its websocket right after it has received the token. */
  connectMs: number;
  /** Without a byte, in either direction. */
  idleMs: number;
  totalMs: number;
};

export const TRANSFER_TIMEOUTS: TransferTimeouts = { connectMs: 10_000, idleMs: 30_000, totalMs: 120_000 };
/** For a browser that lost its websocket just before the end. */
const RESULT_LIFETIME_MS = 60_000;

type StartedTransfer = { userId: string; abort: () => void; release: () => void };
type TransferError = { message: string; status: number };

/** The events that companion emits on an upload's token. */
type EmittedError = { name?: string; message?: string; reason?: GetErrorReason; extraData?: StorageResponse };
type TransferEvent =
  | { action: 'progress'; payload: object }
  | { action: 'success'; payload: object }
  | { action: 'error'; payload: { error?: EmittedError | TransferError } };
type StorageResponse = { status?: number; responseText?: string };

const TOO_SLOW = { message: REMOTE_ERRORS.tooSlow, status: 424 };
/** Without the storage's headers, which companion passes on. Uppy's clients parse the text as JSON if there is any. */
const SUCCESS = { complete: true, response: { status: 200, responseText: '' } };
const CLOSING = { message: REMOTE_ERRORS.interrupted, status: 503 };

/** Transfers of remote photos in progress, limited in number and in time. */
export function createRemoteTransfers(timeouts: TransferTimeouts) {
  const transfers = new Map<string, Transfer>();
  const acquireSlot = createSlots();
  return {
    /** Runs within one of the user's slots. @throws TooManyRequestsError when there is none */
    async withTransferSlot<T>(userId: string, work: () => Promise<T>): Promise<T> {
      const release = acquireSlot(userId);
      try {
        return await work();
      } finally {
        release();
      }
    },
    acquireSlot,
    /** Watches a transfer that companion has started, until its end. */
    watch(emitter: EventEmitter, token: string, { release, ...started }: StartedTransfer): void {
      const onEnd = () => {
        release();
        setTimeout(() => transfers.delete(token), RESULT_LIFETIME_MS).unref();
      };
      transfers.set(token, new Transfer(emitter, token, timeouts, { ...started, onEnd }));
    },
    /** The user whose transfer has this token; null for an unknown token. */
    ownerOf: (token: string) => transfers.get(token)?.userId ?? null,
    /** Sends the end of a finished transfer again. */
    resend: (token: string) => transfers.get(token)?.resend(),
    stopAll() {
      for (const each of transfers.values()) each.stop(CLOSING);
    },
  };
}

/** Rejects instead of letting anyone wait. */
function createSlots() {
  const slots = new Map<string, number>();
  let taken = 0;
  /** @returns the release, which is idempotent @throws TooManyRequestsError */
  return (userId: string): (() => void) => {
    const ofUser = slots.get(userId) ?? 0;
    if (ofUser >= MAX_PER_USER || taken >= MAX_TOTAL)
      throw new TooManyRequestsError(REMOTE_ERRORS.busy, BUSY_RETRY_SECONDS);
    slots.set(userId, ofUser + 1);
    taken++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken--;
      const left = (slots.get(userId) ?? 1) - 1;
      if (left === 0) slots.delete(userId);
      else slots.set(userId, left);
    };
  };
}

class Transfer {
  readonly userId: string;
  readonly #emitter: EventEmitter;
  readonly #token: string;
  readonly #idleMs: number;
  readonly #abort: () => void;
  readonly #onEnd: () => void;
  readonly #total: NodeJS.Timeout;
  #timer: NodeJS.Timeout;
  #result: TransferEvent | null = null;

  constructor(
    emitter: EventEmitter,
    token: string,
    { connectMs, idleMs, totalMs }: TransferTimeouts,
    { userId, abort, onEnd }: Omit<StartedTransfer, 'release'> & { onEnd: () => void },
  ) {
    this.userId = userId;
    this.#emitter = emitter;
    this.#token = token;
    this.#idleMs = idleMs;
    this.#abort = abort;
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.stop(TOO_SLOW), connectMs);
    this.#total = setTimeout(() => this.stop(TOO_SLOW), totalMs);
    emitter.once(`connection:${token}`, this.#resetTimer);
    emitter.once(`cancel:${token}`, this.#onCancel);
    // Before the websocket's own listener, which sends what this one has changed.
    emitter.on(token, this.#onEvent);
  }

  stop(error: TransferError): void {
    if (this.#result) return;
    const event: TransferEvent = { action: 'error', payload: { error } };
    this.#end(event);
    this.#emitter.emit(this.#token, event);
    this.#emitter.emit(`cancel:${this.#token}`);
    // Companion only cancels what has started, and would leave the download open.
    this.#abort();
  }

  resend(): void {
    if (this.#result) this.#emitter.emit(this.#token, this.#result);
  }

  readonly #onCancel = (): void => {
    this.#end(null);
    this.#abort();
  };

  readonly #onEvent = (event: TransferEvent): void => {
    this.#resetTimer();
    if (event.action === 'progress') return;
    if (event.action === 'error') event.payload = { error: toTransferError(event.payload.error) };
    else event.payload = SUCCESS;
    this.#end(event);
    this.#abort();
  };

  readonly #resetTimer = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(TOO_SLOW), this.#idleMs);
  };

  #end(event: TransferEvent | null): void {
    this.#result = event;
    clearTimeout(this.#timer);
    clearTimeout(this.#total);
    this.#emitter.off(this.#token, this.#onEvent);
    this.#emitter.off(`connection:${this.#token}`, this.#resetTimer);
    this.#emitter.off(`cancel:${this.#token}`, this.#onCancel);
    this.#onEnd();
  }
}

export type RemoteTransfers = ReturnType<typeof createRemoteTransfers>;

/** Companion's errors in our words; `serialize-error` has made objects of them. */
function toTransferError(error: EmittedError = {}): TransferError {
  if (error.message === 'maxFileSize exceeded') return { message: PHOTO_TOO_LARGE, status: 413 };
  if (error.name === 'GetError' && error.reason) {
    const { message, status } = toLinkError(error.reason);
    return { message, status };
  }
  if (error.extraData) return toStorageError(error.extraData);
  // Companion's, when the storage gives no response.
  if (error.message === 'Unknown multipart upload error') return toStorageError({});
  return { message: REMOTE_ERRORS.interrupted, status: 502 };
}

/** Our own storage says in JSON why it rejects a photo. */
function toStorageError({ status = 502, responseText = '' }: StorageResponse): TransferError {
  try {
    const { message } = JSON.parse(responseText) as { message?: unknown };
    if (typeof message === 'string') return { message, status };
  } catch {
    // S3 responds with XML, which says nothing to people.
  }
  if (status === 413) return { message: TOO_LARGE_FOR_SERVER, status };
  return { message: REMOTE_ERRORS.notStored, status: status >= 500 ? 503 : status };
}
