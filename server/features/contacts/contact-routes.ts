import { Router } from 'express';
import { CreateContactRequest, UpdateContactRequest } from '#shared/album/contact';
import { PageQuery } from '#shared/api/pagination';
import type { AppContext } from '../../platform/context.ts';
import { toIdempotentRequest } from '../idempotency/idempotent-request.ts';
import { cutPage } from '../../platform/http/responses/next-page-link.ts';
import { createdAtCursor, toPage } from '../../platform/pagination.ts';
import { limitLargeResponses } from '../accounts/sessions/limits/limit-large-responses.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { idParam, parseBody, parseQuery } from '../../platform/http/validate.ts';
import { hashRequest } from '../idempotency/with-idempotency-key.ts';
import { presentContact } from './contact-presenter.ts';
import { listContacts } from './contact-queries.ts';
import { createContact } from './create-contact.ts';
import { deleteContact } from './delete-contact.ts';
import { editContact } from './edit-contact.ts';

export function contactRoutes(context: AppContext): Router {
  const { db } = context;
  const router = Router();

  router.get('/api/contacts', requireUser, limitLargeResponses, async (request, response) => {
    const page = toPage(parseQuery(request, PageQuery), createdAtCursor);
    const rows = await listContacts(db, currentUser(request).id, page);
    response.json(cutPage(request, response, page, rows).map(presentContact));
  });

  router.post('/api/contacts', requireUser, async (request, response) => {
    const contact = parseBody(request, CreateContactRequest);
    const idempotentRequest = toIdempotentRequest(request, 'POST /api/contacts', () => hashRequest(contact));
    const created = await createContact(context, currentUser(request).id, {
      contact,
      idempotentRequest,
    });
    response.status(201).json(presentContact(created));
  });

  router.patch('/api/contacts/:id', requireUser, async (request, response) => {
    const id = idParam(request);
    const changes = parseBody(request, UpdateContactRequest);
    response.json(presentContact(await editContact(context, currentUser(request).id, id, changes)));
  });

  router.delete('/api/contacts/:id', requireUser, async (request, response) => {
    await deleteContact(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}
