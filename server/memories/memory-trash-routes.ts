import { Router } from 'express';
import { PageQuery } from '#shared/page';
import type { AppContext } from '../context.ts';
import { linkNextPage } from '../http/link-next-page.ts';
import { currentUser, requireUser } from '../http/require-user.ts';
import { idParam, parseQuery } from '../http/validate.ts';
import { presentDeletedMemory, presentMemory } from './memory-presenter.ts';
import { formatTrashCursor, parseTrashCursor } from './memory-trash-cursor.ts';
import { listDeletedMemories } from './memory-trash-queries.ts';
import { deleteMemoryForGood, moveMemoryToTrash, restoreMemory } from './memory-trash.ts';

/** Memories that go, and come back. */
export function memoryTrashRoutes(context: Pick<AppContext, 'db' | 'jobs' | 'clock'>): Router {
  const { db } = context;
  const router = Router();

  router.get('/api/memories/deleted', requireUser, async (request, response) => {
    const { limit, cursor } = parseQuery(request, PageQuery);
    const rows = await listDeletedMemories(db, currentUser(request).id, {
      after: cursor === undefined ? null : parseTrashCursor(cursor),
      atMost: limit && limit + 1,
    });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    if (last && rows.length > shown.length) linkNextPage(request, response, formatTrashCursor(last));
    response.json(shown.map(presentDeletedMemory));
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
    await deleteMemoryForGood(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}
