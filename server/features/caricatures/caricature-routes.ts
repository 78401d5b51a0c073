import { Router, type Request } from 'express';
import { GenerateCaricatureRequest } from '#shared/caricature';
import { PageQuery } from '#shared/page';
import type { AppContext } from '../../platform/context.ts';
import { repeatableCall } from '../idempotency/idempotent-request.ts';
import { cutPage } from '../../platform/http/link-next.ts';
import { createdAtCursor, toPage } from '../../platform/pagination.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { sendObject } from '../../platform/http/send-object.ts';
import { userTimeZone } from '../users/user-queries.ts';
import { idParam, parseBody, parseQuery } from '../../platform/http/validate.ts';
import { hashRequest } from '../idempotency/with-idempotency-key.ts';
import { presentMemory } from '../memories/memory-presenter.ts';
import { presentPet } from '../pets/pet-presenter.ts';
import { findCaricatureFile } from './caricature-file.ts';
import { findCaricatureOptions } from './caricature-options.ts';
import { presentCaricature } from './caricature-presenter.ts';
import { listCaricatures } from './caricature-queries.ts';
import { giveConsent } from './consent.ts';
import { deleteCaricature } from './delete-caricature.ts';
import { keepCaricature } from './save-caricature-as-memory.ts';
import { listCaricaturesOfPet } from './list-caricatures.ts';
import { showOnProfile } from './show-on-profile.ts';
import { redoCaricature, startCaricature } from './start-caricature.ts';

type Context = Pick<
  AppContext,
  | 'config'
  | 'db'
  | 'jobs'
  | 'clock'
  | 'storage'
  | 'imageDecoder'
  | 'rateLimits'
  | 'baseUrl'
  | 'caricatureArtist'
>;

/** Photos as cartoons: begun here, drawn by a job. No call waits for an artist. */
export function caricatureRoutes(context: Context): Router {
  const { db, storage } = context;
  const router = Router();
  const toPageOf = (request: Request) => toPage(parseQuery(request, PageQuery), createdAtCursor);

  router.get('/api/caricatures', requireUser, async (request, response) => {
    const page = toPageOf(request);
    const rows = await listCaricatures(db, currentUser(request).id, page);
    response.json(cutPage(request, response, page, rows).map((row) => presentCaricature(context, row)));
  });

  router.get('/api/pets/:id/caricatures', requireUser, async (request, response) => {
    const page = toPageOf(request);
    const rows = await listCaricaturesOfPet(context, currentUser(request).id, idParam(request), page);
    response.json(cutPage(request, response, page, rows).map((row) => presentCaricature(context, row)));
  });

  router.get('/api/caricatures/options', requireUser, async (request, response) => {
    response.json(await findCaricatureOptions(context, currentUser(request)));
  });

  router.post('/api/caricatures/consent', requireUser, async (request, response) => {
    await giveConsent(context, currentUser(request));
    response.status(204).end();
  });

  router.post('/api/caricatures/generate', requireUser, async (request, response) => {
    const order = parseBody(request, GenerateCaricatureRequest);
    const call = repeatableCall(request, 'POST /api/caricatures/generate', () => hashRequest(order));
    const { status, body } = await startCaricature(context, currentUser(request), { order, call });
    response.status(status).json(body);
  });

  router.post('/api/caricatures/:id/redo', requireUser, async (request, response) => {
    const id = idParam(request);
    const call = repeatableCall(request, 'POST /api/caricatures/:id/redo', () => hashRequest({ id }));
    const { status, body } = await redoCaricature(context, currentUser(request), { id, call });
    response.status(status).json(body);
  });

  router.get('/api/caricatures/:id/file', requireUser, async (request, response) => {
    const { image, name } = await findCaricatureFile(context, currentUser(request).id, idParam(request));
    response.attachment(name);
    const { objectKey: key, id: etag, contentType } = image;
    // Its name changes with the pet's.
    const cacheControl = 'private, no-cache';
    await sendObject(request, response, storage, { key, etag, contentType, cacheControl });
  });

  router.post('/api/caricatures/:id/keep', requireUser, async (request, response) => {
    const user = currentUser(request);
    const memory = await keepCaricature(context, user.id, idParam(request), userTimeZone(user));
    response.status(201).json(presentMemory(memory));
  });

  router.post('/api/caricatures/:id/profile-picture', requireUser, async (request, response) => {
    response.json(presentPet(await showOnProfile(context, currentUser(request).id, idParam(request))));
  });

  router.delete('/api/caricatures/:id', requireUser, async (request, response) => {
    await deleteCaricature(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}
