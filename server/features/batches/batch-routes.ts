import { Router } from 'express';
import { CreateBatchRequest, FinishBatchRequest, type Batch } from '#shared/transfers/batch';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { idParam, parseBody } from '../../platform/http/validate.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { insertBatch, listBatches } from './batch-queries.ts';
import { batchCutoff, finishBatch, restoreBatch, takeBackBatch } from './batch-service.ts';

export function batchRoutes(context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>): Router {
  const { db, clock } = context;
  const router = Router();

  router.get('/api/batches', requireUser, async (request, response) => {
    const rows = await listBatches(db, currentUser(request).id, batchCutoff(context));
    response.json(
      rows.map(({ id, createdAt, finishedAt, takenBackAt, count }): Batch => ({
        id,
        createdAt: createdAt.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
        takenBackAt: takenBackAt?.toISOString() ?? null,
        count,
      })),
    );
  });

  router.post('/api/batches', requireUser, async (request, response) => {
    const { id } = parseBody(request, CreateBatchRequest);
    if (!(await insertBatch(db, { id, ownerId: currentUser(request).id, createdAt: clock.now() })))
      throw new NotFoundError();
    response.status(204).end();
  });

  router.post('/api/batches/:id/finish', requireUser, async (request, response) => {
    const id = idParam(request);
    const { contactsMemoryIds } = parseBody(request, FinishBatchRequest);
    await finishBatch(context, { ownerId: currentUser(request).id, id }, contactsMemoryIds);
    response.status(204).end();
  });

  router.delete('/api/batches/:id', requireUser, async (request, response) => {
    await takeBackBatch(context, { ownerId: currentUser(request).id, id: idParam(request) });
    response.status(204).end();
  });

  router.post('/api/batches/:id/restore', requireUser, async (request, response) => {
    await restoreBatch(context, { ownerId: currentUser(request).id, id: idParam(request) });
    response.status(204).end();
  });

  return router;
}
