import type { RequestHandler } from 'express';
import type { AppContext } from '../../platform/context.ts';
import { TooManyRequestsError } from '../../platform/errors.ts';
import { formatDuration } from '../../platform/format-duration.ts';
import { isSafeMethod } from '../../platform/http/same-site.ts';
import { createTokenBuckets } from '../../platform/token-buckets.ts';

/** Limits the changes of each user, in this process. Visitors have other limits. */
export function limitWrites({ config, clock }: Pick<AppContext, 'config' | 'clock'>): RequestHandler {
  const buckets = createTokenBuckets(config.limits.writes, clock);
  return (request, _response, next) => {
    const isLogout = request.path.startsWith('/api/logout');
    if (!request.user || isLogout || isSafeMethod(request.method)) return next();
    const seconds = Math.ceil(buckets.take(request.user.id));
    if (seconds === 0) return next();
    const message = `You are making changes too quickly. Please try again in ${formatDuration(seconds)}.`;
    throw new TooManyRequestsError(message, seconds, 'writes');
  };
}
