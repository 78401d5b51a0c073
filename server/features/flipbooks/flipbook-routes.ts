import { Router, type Request } from 'express';
import { CreateFlipbookPdfRequest, type FlipbookPdf } from '#shared/album/flipbook';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { currentUser, requireUser } from '../accounts/sessions/access/require-user.ts';
import { sendObject } from '../../platform/http/responses/send-object.ts';
import { userTimeZone } from '../accounts/users/user-queries.ts';
import { idParam, parseBody } from '../../platform/http/validate.ts';
import { flipbookPdfKey } from '../storage/object-keys.ts';
import { findFlipbookPdf, type FlipbookPdfRow } from './flipbook-pdf-queries.ts';
import { startFlipbookPdf } from './start-flipbook-pdf.ts';

const FILE_NAME = 'memory-flipbook.pdf';

export function flipbookRoutes(
  context: Pick<AppContext, 'db' | 'jobs' | 'storage' | 'clock' | 'diskSpace'>,
): Router {
  const { db, storage } = context;
  const router = Router();

  router.post('/api/flipbooks/pdf', requireUser, async (request, response) => {
    const { memoryIds, title = '' } = parseBody(request, CreateFlipbookPdfRequest);
    const user = currentUser(request);
    const pdf = await startFlipbookPdf(context, user.id, {
      memoryIds,
      title: title || null,
      timeZone: userTimeZone(user),
    });
    response.status(202).json(presentFlipbookPdf(pdf));
  });

  router.get('/api/flipbooks/pdf/:id', requireUser, async (request, response) => {
    response.json(presentFlipbookPdf(await getPdf(request)));
  });

  router.get('/api/flipbooks/pdf/:id/file', requireUser, async (request, response) => {
    const { id } = await getPdf(request);
    response.attachment(FILE_NAME);
    await sendObject(request, response, storage, {
      key: flipbookPdfKey({ id }),
      etag: id,
      contentType: 'application/pdf',
      // The PDF is deleted after a day, so the browser must not keep a copy.
      cacheControl: 'private, no-store',
    });
  });

  return router;

  async function getPdf(request: Request): Promise<FlipbookPdfRow> {
    const pdf = await findFlipbookPdf(db, currentUser(request).id, idParam(request));
    if (!pdf) throw new NotFoundError();
    return pdf;
  }
}

function presentFlipbookPdf({ id, status, memoriesDone, memoryIds }: FlipbookPdfRow): FlipbookPdf {
  const isCompleted = status === 'completed';
  return {
    id,
    status,
    // 100 only once the file is stored.
    progress: isCompleted ? 100 : Math.min(99, Math.floor((100 * memoriesDone) / memoryIds.length)),
    url: isCompleted ? `/api/flipbooks/pdf/${id}/file` : null,
  };
}
