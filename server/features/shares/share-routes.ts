import { Router } from 'express';
import { ShareQuery, type Share } from '#shared/share';
import type { AppContext } from '../../platform/context.ts';
import { cutPage } from '../../platform/http/next-page-link.ts';
import { createdAtCursor, toPage } from '../../platform/pagination.ts';
import { limitLargeResponses } from '../sessions/limit-large-responses.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { requireVerifiedEmail } from '../users/require-billable-access.ts';
import { idParam, parseQuery } from '../../platform/http/validate.ts';
import { listShares, revokeShare, type ListedShare } from './share-queries.ts';
import { shareUrl } from './share-url.ts';
import {
  findMemoryShareUrl,
  shareCaricature,
  shareMemory,
  unshareCaricature,
  unshareMemory,
} from './share-service.ts';

export function shareRoutes(context: Pick<AppContext, 'config' | 'db' | 'clock' | 'baseUrl'>): Router {
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

  router.get('/api/memories/:id/share', requireUser, async (request, response) => {
    response.json({ url: await findMemoryShareUrl(context, currentUser(request).id, idParam(request)) });
  });

  router.post('/api/memories/:id/share', requireUser, async (request, response) => {
    requireVerifiedEmail(context, currentUser(request));
    const url = await shareMemory(context, currentUser(request).id, idParam(request));
    response.json({ url });
  });

  router.delete('/api/memories/:id/share', requireUser, async (request, response) => {
    await unshareMemory(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  router.post('/api/caricatures/:id/share', requireUser, async (request, response) => {
    requireVerifiedEmail(context, currentUser(request));
    const url = await shareCaricature(context, currentUser(request).id, idParam(request));
    response.json({ url });
  });

  router.delete('/api/caricatures/:id/share', requireUser, async (request, response) => {
    await unshareCaricature(context, currentUser(request).id, idParam(request));
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
