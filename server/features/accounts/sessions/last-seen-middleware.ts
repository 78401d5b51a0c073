import type { RequestHandler } from 'express';
import type { AppContext } from '../../../platform/context.ts';
import { isUse } from './session-middleware.ts';
import { updateLastSeen } from '../users/user-queries.ts';

const INTERVAL_MS = 10 * 60 * 1000;

/** Not on every request, which would write as often as people read. */
export function storeLastSeen({ db, clock }: Pick<AppContext, 'db' | 'clock'>): RequestHandler {
  return async (request, _response, next) => {
    const now = clock.now();
    const before = new Date(now.getTime() - INTERVAL_MS);
    const { user } = request;
    if (user && isUse(request) && (user.lastSeenAt === null || user.lastSeenAt <= before))
      await updateLastSeen(db, user.id, { now, before });
    next();
  };
}
