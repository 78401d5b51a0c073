import { Router } from 'express';
import type { Activity } from '#shared/accounts/activity';
import type { AppContext } from '../../../platform/context.ts';
import { currentUser, requireUser } from '../sessions/access/require-user.ts';
import { listActivity } from './activity-queries.ts';
import type { ActivityRecorder } from './activity-recorder.ts';

export function activityRoutes({
  db,
  activity,
}: Pick<AppContext, 'db'> & { activity: ActivityRecorder }): Router {
  const router = Router();

  router.get('/api/user/activity', requireUser, async (request, response) => {
    // Done on this page just now.
    await activity.flush();
    const rows = await listActivity(db, currentUser(request).id);
    response.json(
      rows.map(({ id, kind, isByAdmin, device, network, createdAt }): Activity => ({
        id,
        kind,
        isByAdmin,
        device,
        network,
        createdAt: createdAt.toISOString(),
      })),
    );
  });

  return router;
}
