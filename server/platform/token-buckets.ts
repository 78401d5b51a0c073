import type { Clock } from './clock.ts';

/** Above this many, buckets that are full again are forgotten. */
const MAX_BUCKETS = 10_000;

/** A burst, and then a steady rate, for each key. In memory: asking Postgres would cost a small write as much as itself. */
export function createTokenBuckets({ burst, perSecond }: { burst: number; perSecond: number }, clock: Clock) {
  const buckets = new Map<string, { tokens: number; at: number }>();

  return {
    /** @returns the seconds until there is a token again, or 0 if one was taken */
    take(key: string): number {
      const now = clock.now().getTime();
      const tokens = refilled(buckets.get(key), now);
      if (tokens < 1) return (1 - tokens) / perSecond;
      if (buckets.size >= MAX_BUCKETS) forgetFull(now);
      buckets.set(key, { tokens: tokens - 1, at: now });
      return 0;
    },
  };

  function refilled(bucket: { tokens: number; at: number } | undefined, now: number): number {
    if (!bucket) return burst;
    return Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * perSecond);
  }

  function forgetFull(now: number): void {
    for (const [key, bucket] of buckets) if (refilled(bucket, now) >= burst) buckets.delete(key);
  }
}
