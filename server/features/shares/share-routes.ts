import { Router } from 'express';
import { ShareQuery, type Share } from '#shared/album/share';
import type { AppContext } from '../../platform/context.ts';
import { cutPage } from '../../platform/http/responses/next-page-link.ts';
import { createdAtCursor, toPage } from '../../platform/pagination.ts';
import { limitLargeResponses } from '../accounts/sessions/limits/limit-large-responses.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { idParam, parseQuery } from '../../platform/http/validate.ts';
import { listShares, revokeShare, type ListedShare } from './share-queries.ts';
import { shareUrl } from '../../platform/share-url.ts';

export function shareRoutes(context: Pick<AppContext, 'db' | 'clock' | 'baseUrl'>): Router {
  const { db, clock } = context;
  const router = Router();

  router.get('/api/shares', requireUser, limitLargeResponses, async (request, response) => {
    const { for: audience, ...query } = parseQuery(request, ShareQuery);
    const page = toPage(query, createdAtCursor);
    const rows = await listShares(db, currentUser(request).id, audience, page);
    response.json(cutPage(request, response, page, rows).map((row) => presentShare(context, row)));
  });

  router.delete('/api/shares/:id', requireUser, async (request, response) => {
    await revokeShare(db, currentUser(request).id, idParam(request), clock.now());
    response.status(204).end();
  });

  return router;
}

function presentShare(context: Pick<AppContext, 'baseUrl'>, row: ListedShare): Share {
  return {
    id: row.id,
    memoryId: row.memoryId,
    caricatureId: row.caricatureId,
    url: shareUrl(context, row),
    imageUrl: `/objects/${row.imageId}`,
    caption: row.caption,
    contactName: row.contactName,
    createdAt: row.createdAt.toISOString(),
  };
}
