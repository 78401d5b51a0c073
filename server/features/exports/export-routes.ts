import { Router } from 'express';
import type { Export } from '#shared/transfers/export';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { sendObject } from '../../platform/http/responses/send-object.ts';
import { idParam } from '../../platform/http/validate.ts';
import { requireConfirmedIdentity } from '../accounts/sessions/access/confirmed-identity.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { exportPartKey } from '../storage/object-keys.ts';
import { findExportOf, findStoredPart, listExportParts, type ExportRow } from './export-queries.ts';
import { expiryOf } from './make-export-job.ts';
import { startExport } from './start-export.ts';

const PARTS = '/api/exports/parts';

export function exportRoutes(context: AppContext): Router {
  const { db, storage, securityLog } = context;
  const router = Router();

  router.get('/api/exports', requireUser, async (request, response) => {
    const row = await findExportOf(db, currentUser(request).id);
    response.json(row ? [await presentExport(row)] : []);
  });

  router.post('/api/exports', requireUser, async (request, response) => {
    const start = () => startExport(context, currentUser(request).id);
    const row = await securityLog.attempt('export-requested', { request }, start);
    response.status(202).json(await presentExport(row));
  });

  router.get(`${PARTS}/:id`, requireUser, requireConfirmedIdentity(context), async (request, response) => {
    const part = await findStoredPart(db, currentUser(request).id, idParam(request));
    if (!part) throw new NotFoundError();
    // The page asks for the first byte before the browser downloads the file.
    if (request.method === 'GET' && request.get('Range') !== 'bytes=0-0')
      securityLog.record('export-downloaded', 'success', { request, details: { part: part.number } });
    const { id, number, partCount, createdAt } = part;
    const day = createdAt.toISOString().slice(0, 10);
    response.attachment(`mems-export-${day}${partCount > 1 ? `-part-${number}-of-${partCount}` : ''}.zip`);
    await sendObject(request, response, storage, {
      key: exportPartKey(id),
      etag: id,
      contentType: 'application/zip',
      // It is deleted after some days, so the browser must not keep a copy.
      cacheControl: 'private, no-store',
    });
  });

  return router;

  async function presentExport({ id, status, progress, createdAt, finishedAt }: ExportRow): Promise<Export> {
    const isCompleted = status === 'completed' && finishedAt !== null;
    const parts = isCompleted ? await listExportParts(db, id) : [];
    return {
      id,
      status,
      progress,
      createdAt: createdAt.toISOString(),
      expiresAt: isCompleted ? expiryOf({ finishedAt }).toISOString() : null,
      parts: parts.map((part) => ({
        number: part.number,
        byteSize: part.byteSize ?? 0,
        url: `${PARTS}/${part.id}`,
      })),
    };
  }
}
