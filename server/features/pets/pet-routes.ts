import { Router } from 'express';
import { PageQuery } from '#shared/api/pagination';
import { CreatePetRequest, PictureProposalRequest, UpdatePetRequest } from '#shared/album/pet';
import type { AppContext } from '../../platform/context.ts';
import { InvalidError } from '../../platform/errors.ts';
import { toIdempotentRequest } from '../idempotency/idempotent-request.ts';
import { sendList } from '../../platform/http/responses/send-list.ts';
import { toListPage, toPage } from '../../platform/pagination.ts';
import { parsePhotoForm } from './photo-form-middleware.ts';
import { limitLargeResponses } from '../accounts/sessions/limits/limit-large-responses.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { idParam, parseBody, parseQuery } from '../../platform/http/validate.ts';
import { hashRequest } from '../idempotency/with-idempotency-key.ts';
import { presentPet } from './pet-presenter.ts';
import { getPet, listPetPage, petCursor } from './pet-queries.ts';
import { createPet, deletePet, editPet } from './pet-service.ts';
import { proposeCrop } from './profile-picture.ts';

const NO_PICTURE = 'Please choose a picture file';

export function petRoutes(context: AppContext): Router {
  const { db } = context;
  const router = Router();
  const receive = parsePhotoForm('profileImage', context.clock);

  router.get('/api/pets', requireUser, limitLargeResponses, async (request, response) => {
    const page = toPage(parseQuery(request, PageQuery), petCursor);
    const { id: ownerId } = currentUser(request);
    await sendList(request, response, page, async (after) =>
      toListPage(await listPetPage(db, ownerId, { after, limit: page.limit }), presentPet),
    );
  });

  router.get('/api/pets/:id', requireUser, async (request, response) => {
    response.json(presentPet(await getPet(db, currentUser(request).id, idParam(request))));
  });

  router.post('/api/pets', requireUser, receive, async (request, response) => {
    const fields = parseBody(request, CreatePetRequest);
    const photo = request.file?.buffer ?? null;
    const idempotent = toIdempotentRequest(request, 'POST /api/pets', () => hashRequest(fields, photo));
    const pet = await createPet(context, currentUser(request).id, {
      fields,
      photo,
      request: idempotent,
    });
    response.status(201).json(presentPet(pet));
  });

  router.post('/api/pets/picture-proposal', requireUser, receive, async (request, response) => {
    const { withPreview } = parseBody(request, PictureProposalRequest);
    const photo = request.file?.buffer;
    if (!photo) throw new InvalidError(NO_PICTURE, { profileImage: NO_PICTURE });
    const userId = currentUser(request).id;
    response.json(await proposeCrop(context, userId, photo, { withPreview: withPreview === 'true' }));
  });

  router.patch('/api/pets/:id', requireUser, receive, async (request, response) => {
    const id = idParam(request);
    const fields = parseBody(request, UpdatePetRequest);
    const photo = request.file?.buffer ?? null;
    response.json(presentPet(await editPet(context, currentUser(request).id, id, { fields, photo })));
  });

  router.delete('/api/pets/:id', requireUser, async (request, response) => {
    await deletePet(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}
