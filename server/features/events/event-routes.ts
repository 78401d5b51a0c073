import { Router } from 'express';
import { UnavailableError } from '../../platform/errors.ts';
import type { EventHub } from './event-hub.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';

export function eventRoutes({ events, isDraining }: { events: EventHub; isDraining: () => boolean }): Router {
  const router = Router();

  router.get('/api/events', requireUser, async (request, response) => {
    if (isDraining()) throw new UnavailableError();
    response.set({
      'Content-Type': 'text/event-stream',
      // Compression and proxy buffering would delay events.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    if (request.method === 'HEAD') response.end();
    else await events.subscribe(response, { ownerId: currentUser(request).id, sid: request.sessionID });
  });

  return router;
}
