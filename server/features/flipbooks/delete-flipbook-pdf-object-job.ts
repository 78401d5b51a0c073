import type { AppContext } from '../../platform/context.ts';
import type { DeleteFlipbookPdfObjectPayload } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { flipbookPdfKey } from './flipbook-pdf-object.ts';

/** The bytes of a PDF whose row is gone. */
export function deleteFlipbookPdfObjectJob({
  storage,
}: Pick<AppContext, 'storage'>): JobHandler<DeleteFlipbookPdfObjectPayload> {
  return ({ flipbookPdfId }) => storage.delete(flipbookPdfKey(flipbookPdfId));
}
