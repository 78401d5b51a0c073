import { Router, type Request } from 'express';
import { GenerateCaricatureRequest } from '#shared/album/caricature';
import { PageQuery } from '#shared/api/pagination';
import type { AppContext } from '../../platform/context.ts';
import { toIdempotentRequest } from '../idempotency/idempotent-request.ts';
import { isFromThisMachine } from '../../platform/http/security/local-requests.ts';
import { cutPage } from '../../platform/http/responses/next-page-link.ts';
import { createdAtCursor, toPage } from '../../platform/pagination.ts';
import { limitLargeResponses } from '../accounts/sessions/limits/limit-large-responses.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { sendObject } from '../../platform/http/responses/send-object.ts';
import { requireVerifiedEmail } from '../accounts/users/require-billable-access.ts';
import { userTimeZone } from '../accounts/users/user-queries.ts';
import { idParam, parseBody, parseQuery } from '../../platform/http/validate.ts';
import { hashRequest } from '../idempotency/with-idempotency-key.ts';
import { presentMemory } from '../memories/memory-presenter.ts';
import { presentPet } from '../pets/pet-presenter.ts';
import { presentCaricature } from './caricature-presenter.ts';
import { listCaricatures } from './caricature-queries.ts';
import {
  deleteCaricature,
  getCaricatureFile,
  getCaricatureOptions,
  giveConsent,
  listCaricaturesOfPet,
  setAsProfilePicture,
} from './caricature-service.ts';
import { saveCaricatureAsMemory } from './save-caricature-as-memory.ts';
import { shareCaricature, unshareCaricature } from './share-caricature.ts';
import { redoCaricature, startCaricature } from './start-caricature.ts';

/** Generation runs in a job: no request waits for the generator. */
export function caricatureRoutes(context: AppContext): Router {
  const { db, storage } = context;
  const router = Router();
  const parsePage = (request: Request) => toPage(parseQuery(request, PageQuery), createdAtCursor);
  const billableUser = (request: Request) => ({
    ...currentUser(request),
    isFromThisMachine: isFromThisMachine(request),
  });

  router.get('/api/caricatures', requireUser, limitLargeResponses, async (request, response) => {
    const page = parsePage(request);
    const rows = await listCaricatures(db, currentUser(request).id, page);
    response.json(cutPage(request, response, page, rows).map((row) => presentCaricature(context, row)));
  });

  router.get('/api/pets/:id/caricatures', requireUser, limitLargeResponses, async (request, response) => {
    const page = parsePage(request);
    const rows = await listCaricaturesOfPet(context, currentUser(request).id, idParam(request), page);
    response.json(cutPage(request, response, page, rows).map((row) => presentCaricature(context, row)));
  });

  router.get('/api/caricatures/options', requireUser, async (request, response) => {
    response.json(await getCaricatureOptions(context, currentUser(request)));
  });

  router.post('/api/caricatures/consent', requireUser, async (request, response) => {
    await giveConsent(context, currentUser(request));
    response.status(204).end();
  });

  router.post('/api/caricatures/generate', requireUser, async (request, response) => {
    const fields = parseBody(request, GenerateCaricatureRequest);
    const idempotent = toIdempotentRequest(request, 'POST /api/caricatures/generate', () =>
      hashRequest(fields),
    );
    const started = await startCaricature(context, billableUser(request), fields, idempotent);
    response.status(202).json(presentCaricature(context, started));
  });

  router.post('/api/caricatures/:id/redo', requireUser, async (request, response) => {
    const id = idParam(request);
    const idempotent = toIdempotentRequest(request, 'POST /api/caricatures/:id/redo', () =>
      hashRequest({ id }),
    );
    const started = await redoCaricature(context, billableUser(request), id, idempotent);
    response.status(202).json(presentCaricature(context, started));
  });

  router.get('/api/caricatures/:id/file', requireUser, async (request, response) => {
    const { image, name } = await getCaricatureFile(context, currentUser(request).id, idParam(request));
    response.attachment(name);
    const { objectKey: key, id: etag, contentType } = image;
    await sendObject(request, response, storage, { key, etag, contentType });
  });

  router.post('/api/caricatures/:id/keep', requireUser, async (request, response) => {
    const user = currentUser(request);
    const memory = await saveCaricatureAsMemory(context, user.id, idParam(request), userTimeZone(user));
    response.status(201).json(presentMemory(memory));
  });

  router.post('/api/caricatures/:id/profile-picture', requireUser, async (request, response) => {
    response.json(presentPet(await setAsProfilePicture(context, currentUser(request).id, idParam(request))));
  });

  router.delete('/api/caricatures/:id', requireUser, async (request, response) => {
    await deleteCaricature(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  router.post('/api/caricatures/:id/share', requireUser, async (request, response) => {
    requireVerifiedEmail(context, currentUser(request));
    response.json({ url: await shareCaricature(context, currentUser(request).id, idParam(request)) });
  });

  router.delete('/api/caricatures/:id/share', requireUser, async (request, response) => {
    await unshareCaricature(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}
