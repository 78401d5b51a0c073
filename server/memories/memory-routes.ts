import { Router } from 'express';
import { CompleteUploadRequest, UpdateMemoryRequest } from '#shared/memory';
import { PageQuery } from '#shared/page';
import type { AppContext } from '../context.ts';
import { cutPage, rowsToFetch, toPage } from '../http/paginate.ts';
import { currentUser, requireUser } from '../http/require-user.ts';
import { timeZoneOf } from '../http/time-zone.ts';
import { idParam, parseBody, parseQuery } from '../http/validate.ts';
import { completeUpload } from '../uploads/complete-upload.ts';
import { editMemory } from './edit-memory.ts';
import { presentMemory } from './memory-presenter.ts';
import { countMemories, listMemories } from './memory-queries.ts';

/** The photos with their stories. */
export function memoryRoutes(
  context: Pick<AppContext, 'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'imageDecoder'>,
): Router {
  const { db, clock } = context;
  const router = Router();

  router.get('/api/memories', requireUser, async (request, response) => {
    const page = toPage(parseQuery(request, PageQuery));
    const { id: ownerId } = currentUser(request);
    const rows = await listMemories(db, ownerId, { after: page.after, atMost: rowsToFetch(page) });
    response.json(cutPage(request, response, page, rows).map(presentMemory));
  });

  router.get('/api/memories/stats', requireUser, async (request, response) => {
    const user = currentUser(request);
    const stats = await countMemories(db, user.id, { now: clock.now(), timeZone: timeZoneOf(user) });
    response.vary('X-Time-Zone').json(stats);
  });

  router.post('/api/memories/complete-upload', requireUser, async (request, response) => {
    const story = parseBody(request, CompleteUploadRequest);
    const user = currentUser(request);
    const memory = await completeUpload(context, user.id, { ...story, timeZone: timeZoneOf(user) });
    response.status(201).json(presentMemory(memory));
  });

  router.patch('/api/memories/:id', requireUser, async (request, response) => {
    const id = idParam(request);
    const changes = parseBody(request, UpdateMemoryRequest);
    response.json(presentMemory(await editMemory(context, currentUser(request).id, id, changes)));
  });

  return router;
}
