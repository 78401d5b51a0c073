import { Router } from 'express';
import { BulkIdsRequest } from '#shared/album/bulk-edit';
import type { DeletedMemory } from '#shared/album/memory';
import { PageQuery } from '#shared/api/pagination';
import type { AppContext } from '../../../platform/context.ts';
import { sendList } from '../../../platform/http/responses/send-list.ts';
import { toListPage, toPage } from '../../../platform/pagination.ts';
import { limitLargeResponses } from '../../accounts/sessions/limits/limit-large-responses.ts';
import { currentUser, requireUser } from '../../accounts/sessions/access/require-user.ts';
import { idParam, parseBody, parseQuery } from '../../../platform/http/validate.ts';
import { presentMemory } from '../memory-presenter.ts';
import { listDeletedMemories, trashCursor, type DeletedMemoryRow } from './memory-trash-queries.ts';
import {
  deleteMemoryPermanently,
  moveMemoriesToTrash,
  moveMemoryToTrash,
  restoreMemories,
  restoreMemory,
  trashCutoff,
} from './memory-trash.ts';

export function memoryTrashRoutes(context: Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock'>): Router {
  const { db, clock } = context;
  const router = Router();

  router.get('/api/memories/deleted', requireUser, limitLargeResponses, async (request, response) => {
    const page = toPage(parseQuery(request, PageQuery), trashCursor);
    const { id: ownerId } = currentUser(request);
    await sendList(request, response, page, async (after) => {
      const { limit } = page;
      const rows = await listDeletedMemories(db, ownerId, { after, limit, since: trashCutoff(clock) });
      return toListPage(rows, presentDeletedMemory);
    });
  });

  router.post('/api/memories/deleted', requireUser, async (request, response) => {
    const { ids } = parseBody(request, BulkIdsRequest);
    await moveMemoriesToTrash(context, currentUser(request).id, [...new Set(ids)]);
    response.status(204).end();
  });

  router.post('/api/memories/deleted/restore', requireUser, async (request, response) => {
    const { ids } = parseBody(request, BulkIdsRequest);
    await restoreMemories(context, currentUser(request).id, [...new Set(ids)]);
    response.status(204).end();
  });

  router.delete('/api/memories/:id', requireUser, async (request, response) => {
    await moveMemoryToTrash(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  router.post('/api/memories/:id/restore', requireUser, async (request, response) => {
    const memory = await restoreMemory(context, currentUser(request).id, idParam(request));
    response.json(presentMemory(memory));
  });

  router.delete('/api/memories/deleted/:id', requireUser, async (request, response) => {
    await deleteMemoryPermanently(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}

function presentDeletedMemory(row: DeletedMemoryRow): DeletedMemory {
  return { ...presentMemory(row), deletedAt: row.deletedAt.toISOString() };
}
