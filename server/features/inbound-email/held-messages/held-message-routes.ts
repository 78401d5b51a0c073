import { Router } from 'express';
import { AcceptHeldMessageRequest, type HeldMessagePreviews } from '#shared/transfers/inbound-email';
import { PageQuery } from '#shared/api/pagination';
import type { AppContext } from '../../../platform/context.ts';
import { cutPage } from '../../../platform/http/responses/next-page-link.ts';
import { createdAtCursor, toPage } from '../../../platform/pagination.ts';
import { requestSource } from '../../../platform/client-info/request-source.ts';
import { limitLargeResponses } from '../../accounts/sessions/limits/limit-large-responses.ts';
import { currentUser, requireUser } from '../../accounts/sessions/access/require-user.ts';
import { idParam, parseOptionalBody, parseQuery } from '../../../platform/http/validate.ts';
import { createFairQueue } from '../../../platform/limits/fair-queue.ts';
import { listForwardingRequests } from '../forwarding/forwarding-request-queries.ts';
import { listHeldEmails } from './held-message-queries.ts';
import { acceptHeldMessage, presentHeldMessages, rejectHeldMessage } from './held-messages.ts';
import { previewHeldMessage } from './preview-held-message.ts';

export function heldMessageRoutes(context: AppContext): Router {
  const router = Router();
  // Each reads a whole email into memory. The second account need not wait for a photo that takes the decoder long.
  const previews = createFairQueue({ concurrency: 2 });

  router.get('/api/held-messages', requireUser, limitLargeResponses, async (request, response) => {
    const page = toPage(parseQuery(request, PageQuery), createdAtCursor);
    const { id: ownerId } = currentUser(request);
    const rows = await listHeldEmails(context.db, ownerId, page);
    const shown = cutPage(request, response, page, rows);
    response.json(await presentHeldMessages(context, ownerId, shown));
  });

  router.get('/api/held-messages/:id/previews', requireUser, async (request, response) => {
    const [ownerId, id] = [currentUser(request).id, idParam(request)];
    const photos: HeldMessagePreviews = await previews.add(ownerId, 0, () =>
      previewHeldMessage(context, ownerId, id),
    );
    // So that a discarded message leaves nothing in the browser.
    response.set('Cache-Control', 'private, no-store').json(photos);
  });

  router.post('/api/held-messages/:id/accept', requireUser, async (request, response) => {
    const id = idParam(request);
    const options = parseOptionalBody(request, AcceptHeldMessageRequest);
    const source = requestSource(request, context.clock);
    const isSenderNew = await acceptHeldMessage(context, currentUser(request).id, id, options, source);
    if (isSenderNew) context.securityLog.record('allowed-senders-change', 'success', { request });
    response.status(202).json({ message: 'The photos are on their way into your album.' });
  });

  router.post('/api/held-messages/:id/reject', requireUser, async (request, response) => {
    await rejectHeldMessage(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  router.get('/api/user/forwarding-requests', requireUser, async (request, response) => {
    const { db, clock } = context;
    response.json(await listForwardingRequests(db, currentUser(request).id, clock.now()));
  });

  return router;
}
