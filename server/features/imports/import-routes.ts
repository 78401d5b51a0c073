import { Router } from 'express';
import { StartImportRequest, type Import } from '#shared/transfers/import';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { idParam, parseBody } from '../../platform/http/validate.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { importMessage } from './import-error.ts';
import { findImportOf, type ImportRow } from './import-queries.ts';
import { deleteImport, receiveChunk, startImport } from './receive-import.ts';

export function importRoutes(context: AppContext): Router {
  const router = Router();

  router.get('/api/imports', requireUser, async (request, response) => {
    const row = await findImportOf(context.db, currentUser(request).id);
    response.json(row ? [presentImport(row)] : []);
  });

  router.post('/api/imports', requireUser, async (request, response) => {
    const file = parseBody(request, StartImportRequest);
    const start = () => startImport(context, currentUser(request).id, file);
    response
      .status(201)
      .json(presentImport(await context.securityLog.attempt('import-started', { request }, start)));
  });

  router.put('/api/imports/:id/chunks/:number', requireUser, async (request, response) => {
    const id = idParam(request);
    const number = Number(request.params['number']);
    if (!/^\d{1,4}$/.test(String(request.params['number']))) throw new NotFoundError();
    // The unread rest of a rejected body would corrupt the next request on the same connection.
    response.set('Connection', 'close');
    const row = await receiveChunk(context, currentUser(request).id, { id, number, body: request });
    response.removeHeader('Connection');
    response.status(row.status === 'receiving' ? 200 : 202).json(presentImport(row));
  });

  router.delete('/api/imports/:id', requireUser, async (request, response) => {
    await deleteImport(context, currentUser(request).id, idParam(request));
    response.status(204).end();
  });

  return router;
}

function presentImport(row: ImportRow): Import {
  const { id, fileName, byteSize, receivedBytes, status, total, done, added, unreadable, missing } = row;
  const message = status === 'failed' ? importMessage(row.failureReason, row.failureDetail) : null;
  return { id, fileName, byteSize, receivedBytes, status, message, total, done, added, unreadable, missing };
}
