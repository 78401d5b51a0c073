import { Router } from 'express';
import { UnavailableError } from '../../platform/errors.ts';
import type { AccountEvents } from './account-events.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';

/** What changes in the account, as it happens. */
export function eventRoutes({
  events,
  isDraining,
}: {
  events: AccountEvents;
  isDraining: () => boolean;
}): Router {
  const router = Router();

  router.get('/api/events', requireUser, async (request, response) => {
    if (isDraining()) throw new UnavailableError();
    response.set({
      'Content-Type': 'text/event-stream',
      // Compressed or held back by a proxy it would come in lumps.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    if (request.method === 'HEAD') response.end();
    else await events.follow(response, { ownerId: currentUser(request).id, sid: request.sessionID });
  });

  return router;
}
