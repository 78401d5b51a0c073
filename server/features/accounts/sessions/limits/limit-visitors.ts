import type { RequestHandler } from 'express';
import { clientIp } from '../../../../platform/client-info/client-ip.ts';
import type { AppContext } from '../../../../platform/context.ts';
import { TooManyRequestsError } from '../../../../platform/errors.ts';
import { createTokenBuckets } from '../../../../platform/limits/token-buckets.ts';
import { formatDuration } from '../../../../platform/time/format-duration.ts';

type VisitorLimits = {
  /** Counts each request without a session. */
  all: RequestHandler;
  /**
   * Counts requests under way and rejected ones only, where a signature or a secret stands for the session: a provider sends
   * everybody's messages from a few addresses.
   */
  rejected: RequestHandler;
};

/** Limits the requests of each client that has no session, in this process. Users have `limitWrites`. */
export function limitVisitors({ config, clock }: Pick<AppContext, 'config' | 'clock'>): VisitorLimits {
  const buckets = createTokenBuckets(config.limits.visitorRequests, clock);
  return {
    all(request, _response, next) {
      if (request.user) return next();
      rejectUnlessZero(buckets.take(clientIp(request)));
      next();
    },
    rejected(request, response, next) {
      const ip = clientIp(request);
      rejectUnlessZero(buckets.take(ip));
      response.on('close', () => {
        const isRejected = response.statusCode >= 400 && response.statusCode < 500;
        if (!isRejected) buckets.giveBack(ip);
      });
      next();
    },
  };
}

function rejectUnlessZero(secondsLeft: number): void {
  if (secondsLeft === 0) return;
  const seconds = Math.ceil(secondsLeft);
  const message = `Too many requests. Please try again in ${formatDuration(seconds)}.`;
  throw new TooManyRequestsError(message, seconds, 'visitorRequests');
}
