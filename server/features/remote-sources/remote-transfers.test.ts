import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { REMOTE_ERRORS } from '#shared/transfers/remote-source';
import { TooManyRequestsError } from '../../platform/errors.ts';
import { REMOTE_LIMITS } from './create-remote-sources.ts';
import { createRemoteTransfers } from './remote-transfers.ts';

/* The limits of installations. linked-photos.test.ts has shorter ones. */

const { download, transfer } = REMOTE_LIMITS;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @returns what the browser is sent at the end, if it has ended */
function startTransfer() {
  const transfers = createRemoteTransfers(transfer);
  const emitter = new EventEmitter();
  const sent: unknown[] = [];
  const abort = vi.fn();
  const release = transfers.acquireSlot('ada');
  transfers.watch(emitter, 'token', { userId: 'ada', abort, release });
  emitter.on('token', (event) => sent.push(event));
  const progress = () => emitter.emit('token', { action: 'progress', payload: {} });
  return { emitter, sent, abort, progress };
}

const TOO_SLOW = { action: 'error', payload: { error: { message: REMOTE_ERRORS.tooSlow, status: 424 } } };

it('transfers are three of an account at most, which is a tenth of all', () => {
  const { acquireSlot } = createRemoteTransfers(transfer);
  const releases = Array.from({ length: 30 }, (_, index) => acquireSlot(`user ${index % 10}`));
  for (const user of ['user 0', 'somebody else'])
    expect(() => acquireSlot(user)).toThrow(TooManyRequestsError);
  releases[0]?.();
  // Idempotent: it gives back one slot.
  releases[0]?.();
  acquireSlot('user 0');
  expect(() => acquireSlot('somebody else')).toThrow(TooManyRequestsError);
});

it('a transfer ends when its browser does not connect within ten seconds', () => {
  const { sent, abort } = startTransfer();
  vi.advanceTimersByTime(9_999);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([TOO_SLOW]);
  expect(abort).toHaveBeenCalled();
});

it('a transfer ends after half a minute without a byte', () => {
  const { emitter, sent, progress } = startTransfer();
  emitter.emit('connection:token');
  vi.advanceTimersByTime(29_999);
  progress();
  vi.advanceTimersByTime(29_999);
  expect(sent).not.toContainEqual(TOO_SLOW);
  vi.advanceTimersByTime(1);
  expect(sent).toContainEqual(TOO_SLOW);
});

it('a transfer ends after two minutes, however fast it is', () => {
  const { emitter, sent, progress } = startTransfer();
  emitter.emit('connection:token');
  for (let seconds = 0; seconds < 119; seconds++) {
    progress();
    vi.advanceTimersByTime(1_000);
  }
  expect(sent).not.toContainEqual(TOO_SLOW);
  vi.advanceTimersByTime(1_000);
  expect(sent).toContainEqual(TOO_SLOW);
});

it('a download ends before its transfer, so that the browser is told why', () => {
  const { headersMs, bodyMs, window } = download;
  expect(headersMs + bodyMs).toBeLessThan(transfer.totalMs);
  expect(window.ms).toBeLessThan(transfer.idleMs);
  expect(window.ms).toBeLessThan(bodyMs);
});
