import { createHash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from './config/config.ts';
import { durationInWords } from './format-duration.ts';
import { TooManyRequestsError } from './errors.ts';

/** So many uses of a key per window, counted in Postgres and so in common for all processes. */
export type RateLimit = {
  /**
   * Counts one use. @throws TooManyRequestsError with the seconds until the window ends, and with what there was too
   * much of in words
   */
  consume(key: string, refusal?: string): Promise<void>;
  /** Takes one counted use back: it turned out to be harmless. */
  giveBack(key: string): Promise<void>;
  /** Forgets all uses. */
  reset(key: string): Promise<void>;
};

export type RateLimits = Record<keyof Config['rateLimits'], RateLimit>;

export function createRateLimits(pool: pg.Pool, limits: Config['rateLimits']): RateLimits {
  const create = (name: keyof Config['rateLimits']) => createRateLimit(pool, name, limits[name]);
  return {
    loginPerAccount: create('loginPerAccount'),
    loginPerAddress: create('loginPerAddress'),
    accountMailPerAddress: create('accountMailPerAddress'),
    contactPerUser: create('contactPerUser'),
    phoneCodePerUser: create('phoneCodePerUser'),
    phoneCodePerNumber: create('phoneCodePerNumber'),
    phoneCodePerAddress: create('phoneCodePerAddress'),
    phoneCodePerDay: create('phoneCodePerDay'),
    replyPerStranger: create('replyPerStranger'),
    replyToStrangersPerDay: create('replyToStrangersPerDay'),
    replyPerNumber: create('replyPerNumber'),
    uploadPerUser: create('uploadPerUser'),
    inboundMailPerUser: create('inboundMailPerUser'),
    inboundMailPerAddress: create('inboundMailPerAddress'),
    mailAnswerPerUser: create('mailAnswerPerUser'),
    previewPerUser: create('previewPerUser'),
  };
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
  return {
    async consume(key, refusal = 'Too many attempts.') {
      try {
        await limiter.consume(digest(key));
      } catch (state) {
        if (!(state instanceof RateLimiterRes)) throw state;
        const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
        throw new TooManyRequestsError(
          `${refusal} Please try again in ${durationInWords(seconds)}.`,
          seconds,
        );
      }
    },
    async giveBack(key) {
      await limiter.reward(digest(key));
    },
    async reset(key) {
      await limiter.delete(digest(key));
    },
  };
}

/** Keys hold email addresses: hashed they fit the column, and the table tells nobody who signed in. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Consumes one use. False instead of an error when the limit is reached. */
export async function isWithinLimit(limit: RateLimit, key: string): Promise<boolean> {
  try {
    await limit.consume(key);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequestsError) return false;
    throw error;
  }
}
