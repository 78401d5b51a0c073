import { Router } from 'express';
import { PageQuery } from '#shared/page';
import type { Share } from '#shared/share';
import type { AppContext } from '../context.ts';
import { cutPage, toPage } from '../http/paginate.ts';
import { currentUser, requireUser } from '../http/require-user.ts';
import { idParam, parseQuery } from '../http/validate.ts';
import { publicLinkCursors } from './public-link-cursor.ts';
import { listLinks, revokeLink, type ListedLink } from './public-link-queries.ts';
import { publicUrl } from './public-url.ts';
import { shareMemory, unshareMemory } from './share-memory.ts';

/** An owner's public links: made, seen and taken back. */
export function shareRoutes(context: Pick<AppContext, 'db' | 'clock' | 'publicAddress'>): Router {
  const { db, clock } = context;
  const router = Router();

  router.get('/api/shares', requireUser, async (request, response) => {
    const page = toPage(parseQuery(request, PageQuery), publicLinkCursors);
    const rows = await listLinks(db, currentUser(request).id, page);
    response.json(cutPage(request, response, page, rows).map((row) => presentShare(context, row)));
  });

  router.delete('/api/shares/:id', requireUser, async (request, response) => {
    await revokeLink(db, currentUser(request).id, idParam(request), clock.now());
    response.status(204).end();
  });

  router.post('/api/memories/:id/share', requireUser, async (request, response) => {
    const url = await shareMemory(context, currentUser(request).id, idParam(request));
    response.json({ url });
  });

  router.delete('/api/memories/:id/share', requireUser, async (request, response) => {
    await unshareMemory(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}

function presentShare(context: Pick<AppContext, 'publicAddress'>, row: ListedLink): Share {
  return {
    id: row.id,
    memoryId: row.memoryId,
    url: publicUrl(context, row),
    imageUrl: `/objects/${row.imageId}`,
    caption: row.caption,
    contactName: row.contactName,
    createdAt: row.createdAt.toISOString(),
  };
}
