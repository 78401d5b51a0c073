import { Router, type Request } from 'express';
import { CreateFlipbookPdfRequest } from '#shared/flipbook';
import type { AppContext } from '../../platform/context.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { currentUser, requireUser } from '../sessions/require-user.ts';
import { sendObject } from '../../platform/http/send-object.ts';
import { userTimeZone } from '../users/user-queries.ts';
import { idParam, parseBody } from '../../platform/http/validate.ts';
import { FLIPBOOK_PDF_TYPE, flipbookPdfKey } from './flipbook-pdf-object.ts';
import { presentFlipbookPdf } from './flipbook-pdf-presenter.ts';
import { findFlipbookPdf, type FlipbookPdfRow } from './flipbook-pdf-queries.ts';
import { startFlipbookPdf } from './start-flipbook-pdf.ts';

const FILE_NAME = 'memory-flipbook.pdf';

/** The book to keep: as a PDF, made on request. */
export function flipbookRoutes(context: Pick<AppContext, 'db' | 'jobs' | 'storage' | 'clock'>): Router {
  const { db, storage } = context;
  const router = Router();

  router.post('/api/flipbooks/pdf', requireUser, async (request, response) => {
    const { memoryIds } = parseBody(request, CreateFlipbookPdfRequest);
    const user = currentUser(request);
    const pdf = await startFlipbookPdf(context, user.id, { memoryIds, timeZone: userTimeZone(user) });
    response.status(202).json(presentFlipbookPdf(pdf));
  });

  router.get('/api/flipbooks/pdf/:id', requireUser, async (request, response) => {
    response.json(presentFlipbookPdf(await getPdf(request)));
  });

  router.get('/api/flipbooks/pdf/:id/file', requireUser, async (request, response) => {
    const { id } = await getPdf(request);
    response.attachment(FILE_NAME);
    await sendObject(request, response, storage, {
      key: flipbookPdfKey(id),
      etag: id,
      contentType: FLIPBOOK_PDF_TYPE,
      // It goes after a day: no copy of it stays behind in the browser.
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
