import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api-client.ts';
import { someCaricature } from '../../testing/some-caricature.ts';
import { toToastMessage, toCardMessage, canRetry, toStartErrorMessage } from './failure-messages.ts';

const HIGH_LOAD = 'The AI service is experiencing high load. Please try again in a few minutes.';
const NOT_STARTED = 'Could not start caricature generation. Please try again.';
const LIMIT = 'You have used all of today’s caricatures. Please try again in 5 hours.';

const failed = (details: Parameters<typeof someCaricature>[0]) =>
  someCaricature({ status: 'failed', ...details });
const answer = (status: number, message: string) => new ApiError(status, JSON.stringify({ message }));

describe('a failure', () => {
  it('is put down to high load when it is for the sake of the service, and only then', () => {
    expect(toToastMessage(failed({ failureReason: 'unavailable' }))).toBe(HIGH_LOAD);
    expect(toToastMessage(failed({ failureReason: 'timed-out' }))).toBe(HIGH_LOAD);
    expect(toToastMessage(failed({ failureReason: 'moderation' }))).toMatch(/declined this photo/);
    expect(toToastMessage(failed({ failureReason: 'timed-out', artist: 'local' }))).toMatch(/took too long/);
  });

  it('says its reason on the card, where there is one', () => {
    expect(toCardMessage(failed({ failureReason: 'no-credit' }))).toMatch(/no credit left/);
    expect(toCardMessage(failed({ failureReason: null }))).toBe('Try creating a new caricature');
  });

  it('is tried again where that may help: not with a photo that was declined, nor without one', () => {
    expect(canRetry(failed({ failureReason: 'unavailable' }))).toBe(true);
    expect(canRetry(failed({ failureReason: 'moderation' }))).toBe(false);
    expect(canRetry(failed({ failureReason: 'unavailable', originalImageUrl: null }))).toBe(false);
  });
});

describe('that none was begun', () => {
  it('is said in the words of a server that refused, and in our own otherwise', () => {
    expect(toStartErrorMessage(answer(429, LIMIT))).toBe(LIMIT);
    expect(toStartErrorMessage(answer(500, 'Something went wrong'))).toBe(NOT_STARTED);
    expect(toStartErrorMessage(new TypeError('Failed to fetch'))).toBe(NOT_STARTED);
  });
});
