import { Router } from 'express';
import type { AppContext } from '../context.ts';
import { UnavailableError } from '../errors.ts';
import { currentUser, requireUser } from '../http/require-user.ts';

/** What changes in the account, as it happens. */
export function eventRoutes({
  events,
  isDraining,
}: Pick<AppContext, 'events'> & { isDraining: () => boolean }): Router {
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
