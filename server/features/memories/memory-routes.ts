import { Router, type RequestHandler } from 'express';
import { BulkEditRequest } from '#shared/album/bulk-edit';
import {
  MemoryIdsQuery,
  MemoryListQuery,
  MemoryMonthsQuery,
  MemorySearchQuery,
  MemoryStatsQuery,
  UpdateMemoryRequest,
} from '#shared/album/memory';
import { KnownPhotosRequest } from '#shared/transfers/upload';
import type { AppContext } from '../../platform/context.ts';
import { sendList } from '../../platform/http/responses/send-list.ts';
import { toPage } from '../../platform/pagination.ts';
import { limitLargeResponses } from '../accounts/sessions/limits/limit-large-responses.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { requireVerifiedEmail } from '../accounts/users/require-billable-access.ts';
import { userTimeZone } from '../accounts/users/user-queries.ts';
import { idParam, parseBody, parseQuery } from '../../platform/http/validate.ts';
import { editMemories } from './edit/edit-memories.ts';
import { editMemory } from './edit/edit-memory.ts';
import { dismissMemory, findFeaturedMemory } from './lists/featured-memory.ts';
import { toMemoryFilters } from './lists/memory-filters.ts';
import { listMemories, memoryCursors } from './lists/memory-page-queries.ts';
import { presentMemory } from './memory-presenter.ts';
import { listKnownPhotos } from './memory-photo-queries.ts';
import { listMemoryIds } from './memory-queries.ts';
import { trashCutoff } from './trash/memory-trash.ts';
import { countMemoriesByPet, getMemoryStats, listMonths } from './lists/memory-stats-queries.ts';
import { findMemoryShareUrl, shareMemory, unshareMemory } from './share-memory.ts';

export function memoryRoutes(context: AppContext): Router {
  return Router().use(listRoutes(context), changeRoutes(context));
}

function listRoutes(context: AppContext): Router {
  const { db, clock } = context;
  const router = Router();

  /** A list is a search without terms. */
  const respondWithList =
    (schema: typeof MemoryListQuery | typeof MemorySearchQuery): RequestHandler =>
    async (request, response) => {
      const query = parseQuery(request, schema);
      const page = toPage(query, memoryCursors[query.order]);
      const { id: ownerId } = currentUser(request);
      const filters = await toMemoryFilters(context, ownerId, query);
      await sendList(request, response, page, (after) =>
        listMemories(db, ownerId, filters, { order: query.order, limit: page.limit, after }),
      );
    };
  router.get('/api/memories', requireUser, limitLargeResponses, respondWithList(MemoryListQuery));
  router.get('/api/memories/search', requireUser, limitLargeResponses, respondWithList(MemorySearchQuery));

  router.get('/api/memories/ids', requireUser, limitLargeResponses, async (request, response) => {
    const query = parseQuery(request, MemoryIdsQuery);
    const { id: ownerId } = currentUser(request);
    const filters = await toMemoryFilters(context, ownerId, query);
    response.json(await listMemoryIds(db, ownerId, filters, query.order));
  });

  router.get('/api/memories/months', requireUser, async (request, response) => {
    const query = parseQuery(request, MemoryMonthsQuery);
    const user = currentUser(request);
    const filters = await toMemoryFilters(context, user.id, query);
    const months = await listMonths(db, user.id, filters, {
      order: query.order,
      timeZone: userTimeZone(user),
    });
    response.vary('X-Time-Zone').json(
      months.map(({ before, ...month }) => ({
        ...month,
        cursor: memoryCursors[query.order].format(before),
      })),
    );
  });

  router.get('/api/memories/stats', requireUser, async (request, response) => {
    const query = parseQuery(request, MemoryStatsQuery);
    const user = currentUser(request);
    const filters = await toMemoryFilters(context, user.id, query);
    const stats = await getMemoryStats(db, user.id, filters, {
      now: clock.now(),
      timeZone: userTimeZone(user),
    });
    response.vary('X-Time-Zone').json(stats);
  });

  router.get('/api/memories/pet-counts', requireUser, async (request, response) => {
    response.json(await countMemoriesByPet(db, currentUser(request).id));
  });

  router.get('/api/memories/featured', requireUser, async (request, response) => {
    const user = currentUser(request);
    const featured = await findFeaturedMemory(context, user.id, userTimeZone(user));
    response.vary('X-Time-Zone').json(featured);
  });

  router.post('/api/uploads/known', requireUser, async (request, response) => {
    const { hashes } = parseBody(request, KnownPhotosRequest);
    response.json({ known: await listKnownPhotos(db, currentUser(request).id, hashes, trashCutoff(clock)) });
  });

  return router;
}

function changeRoutes(context: AppContext): Router {
  const router = Router();

  router.post('/api/memories/:id/dismiss', requireUser, async (request, response) => {
    await dismissMemory(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  router.patch('/api/memories', requireUser, limitLargeResponses, async (request, response) => {
    const edits = parseBody(request, BulkEditRequest);
    const { memories, undo } = await editMemories(context, currentUser(request).id, edits);
    response.json({ memories: memories.map(presentMemory), undo });
  });

  router.patch('/api/memories/:id', requireUser, async (request, response) => {
    const id = idParam(request);
    const changes = parseBody(request, UpdateMemoryRequest);
    response.json(presentMemory(await editMemory(context, currentUser(request).id, id, changes)));
  });

  router.get('/api/memories/:id/share', requireUser, async (request, response) => {
    response.json({ url: await findMemoryShareUrl(context, currentUser(request).id, idParam(request)) });
  });

  router.post('/api/memories/:id/share', requireUser, async (request, response) => {
    requireVerifiedEmail(context, currentUser(request));
    response.json({ url: await shareMemory(context, currentUser(request).id, idParam(request)) });
  });

  router.delete('/api/memories/:id/share', requireUser, async (request, response) => {
    await unshareMemory(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}
