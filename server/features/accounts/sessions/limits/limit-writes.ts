import type { RequestHandler } from 'express';
import type { AppContext } from '../../../../platform/context.ts';
import { TooManyRequestsError } from '../../../../platform/errors.ts';
import { isSafeMethod } from '../../../../platform/http/security/same-site.ts';
import { createTokenBuckets } from '../../../../platform/limits/token-buckets.ts';
import { formatDuration } from '../../../../platform/time/format-duration.ts';

/**
 * A zip of 4 GB has almost 500 chunks, and an evening 1,000 photos: the other changes would have to wait for them. Their imports and
 * uploads are limited themselves.
 */
const EXEMPT = /^\/api\/(logout|imports\/[^/]+\/chunks\/|objects\/upload$|memories\/complete-upload$)/;

/** Limits the changes of each user, in this process. Visitors have other limits. */
export function limitWrites({ config, clock }: Pick<AppContext, 'config' | 'clock'>): RequestHandler {
  const buckets = createTokenBuckets(config.limits.writes, clock);
  return (request, _response, next) => {
    // Without the base, the path begins after the one that this middleware is mounted at.
    const path = request.baseUrl + request.path;
    const isCounted = !EXEMPT.test(path) && !isSafeMethod(request.method);
    if (!request.user || !isCounted) return next();
    const seconds = Math.ceil(buckets.take(request.user.id));
    if (seconds === 0) return next();
    const message = `You are making changes too quickly. Please try again in ${formatDuration(seconds)}.`;
    throw new TooManyRequestsError(message, seconds, 'writes');
  };
}
