import { createHash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config/config.ts';
import { formatDuration } from '../time/format-duration.ts';
import { TooManyRequestsError } from '../errors.ts';

/** Unlike a database that is too busy to count, which has the same status. */
export class LimitReachedError extends TooManyRequestsError {}

/** At most so many uses of a key per window. Counted in Postgres, so all processes share the count. */
export type RateLimit = {
  /** Counts a use. `seconds` replaces the window's length. @throws LimitReachedError with `message` and the seconds left */
  consume(key: string, message?: string, options?: { seconds?: number; points?: number }): Promise<void>;
  /** Throws as `consume` would for one more use, without counting it. */
  check(key: string, message?: string): Promise<void>;
  /** Counts one use without a limit. @returns the uses in this window */
  count(key: string): Promise<number>;
  giveBack(key: string): Promise<void>;
  reset(key: string): Promise<void>;
};

export type RateLimits = Record<keyof Config['rateLimits'], RateLimit>;

export function createRateLimits(pool: pg.Pool, limits: Config['rateLimits']): RateLimits {
  return Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [name, createRateLimit(pool, name, limit)]),
  ) as RateLimits;
}

function createRateLimit(pool: pg.Pool, name: string, limit: { points: number; seconds: number }): RateLimit {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points: limit.points,
    duration: limit.seconds,
  });
  const toError = ({ msBeforeNext }: RateLimiterRes, message: string) => {
    const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1000));
    const wait = `Please try again in ${formatDuration(secondsLeft)}.`;
    return new LimitReachedError(`${message} ${wait}`, secondsLeft, name);
  };
  return {
    async consume(key, message = 'Too many attempts.', { seconds = limit.seconds, points = 1 } = {}) {
      try {
        await limiter.consume(digest(key), points, { customDuration: seconds });
      } catch (state) {
        if (!(state instanceof RateLimiterRes)) throw state;
        throw toError(state, message);
      }
    },
    async check(key, message = 'Too many attempts.') {
      const state = await limiter.get(digest(key));
      if (state && state.consumedPoints >= limit.points) throw toError(state, message);
    },
    async count(key) {
      return (await limiter.penalty(digest(key))).consumedPoints;
    },
    async giveBack(key) {
      await limiter.reward(digest(key));
    },
    async reset(key) {
      await limiter.delete(digest(key));
    },
  };
}

/** Keys contain email addresses: hashed, they fit the column and stay private. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Consumes one use. False instead of an error when the limit is reached. */
export async function isWithinLimit(limit: RateLimit, key: string): Promise<boolean> {
  try {
    await limit.consume(key);
    return true;
  } catch (error) {
    if (error instanceof LimitReachedError) return false;
    throw error;
  }
}
