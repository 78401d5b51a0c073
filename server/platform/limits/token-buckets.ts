import type { Clock } from '../time/clock.ts';

/** Above this many, the one that was used least recently is forgotten. */
const MAX_BUCKETS = 10_000;

type TokenBuckets = {
  /** @returns the seconds until there is a token again, or 0 if one was taken */
  take(key: string): number;
  giveBack(key: string): void;
};

/** A burst, and then a steady rate, for each key. In memory: asking Postgres would cost a small write as much as itself. */
export function createTokenBuckets(
  { burst, perSecond }: { burst: number; perSecond: number },
  clock: Clock,
): TokenBuckets {
  /** In the order of their last use. */
  const buckets = new Map<string, { tokens: number; at: number }>();

  return { take, giveBack };

  function take(key: string): number {
    const now = clock.now().getTime();
    const tokens = countTokens(key, now);
    if (tokens < 1) return (1 - tokens) / perSecond;
    buckets.delete(key);
    if (buckets.size >= MAX_BUCKETS) buckets.delete(buckets.keys().next().value ?? '');
    buckets.set(key, { tokens: tokens - 1, at: now });
    return 0;
  }

  function giveBack(key: string): void {
    const bucket = buckets.get(key);
    if (bucket) bucket.tokens++;
  }

  function countTokens(key: string, now: number): number {
    const bucket = buckets.get(key);
    if (!bucket) return burst;
    return Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * perSecond);
  }
}
