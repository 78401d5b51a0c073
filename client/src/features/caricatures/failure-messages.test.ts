import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-client.ts';
import { someCaricature } from '../../testing/some-caricature.ts';
import { toToastMessage, toCardMessage, canRetry, toStartErrorMessage } from './failure-messages.ts';

const HIGH_LOAD = 'The AI service is experiencing high load. Please try again in a few minutes.';
const NOT_STARTED = 'Could not start caricature generation. Please try again.';
const LIMIT = 'You have used all of today’s caricatures. Please try again in 5 hours.';

const failed = (details: Parameters<typeof someCaricature>[0]) =>
  someCaricature({ status: 'failed', ...details });
const failure = (status: number, message: string) => new ApiError(status, JSON.stringify({ message }));

describe('failure messages', () => {
  it('blame high load only if the AI service was at fault', () => {
    expect(toToastMessage(failed({ failureReason: 'unavailable' }))).toBe(HIGH_LOAD);
    expect(toToastMessage(failed({ failureReason: 'timed-out' }))).toBe(HIGH_LOAD);
    expect(toToastMessage(failed({ failureReason: 'moderation' }))).toMatch(/declined this photo/);
    expect(toToastMessage(failed({ failureReason: 'timed-out', artist: 'local' }))).toMatch(/took too long/);
  });

  it('show the reason on the card', () => {
    expect(toCardMessage(failed({ failureReason: 'no-credit' }))).toMatch(/no credit left/);
    expect(toCardMessage(failed({ failureReason: null }))).toBe('Try creating a new caricature');
  });

  it('allow a retry, except for a declined or deleted photo', () => {
    expect(canRetry(failed({ failureReason: 'unavailable' }))).toBe(true);
    expect(canRetry(failed({ failureReason: 'moderation' }))).toBe(false);
    expect(canRetry(failed({ failureReason: 'unavailable', originalImageUrl: null }))).toBe(false);
  });
});

describe('start error messages', () => {
  it("use the server's message for 4xx only", () => {
    expect(toStartErrorMessage(failure(429, LIMIT))).toBe(LIMIT);
    expect(toStartErrorMessage(failure(500, 'Something went wrong'))).toBe(NOT_STARTED);
    expect(toStartErrorMessage(new TypeError('Failed to fetch'))).toBe(NOT_STARTED);
  });
});
