import { PassThrough } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { calendarDayOf, memoryDateInWords } from '#shared/calendar-date';
import type { AppContext } from '../../platform/context.ts';
import { findImage } from '../images/image-queries.ts';
import type { MakeFlipbookPdfPayload } from '../job-catalogue.ts';
import { findMemories } from '../memories/memory-list-queries.ts';
import { presentMemory } from '../memories/memory-presenter.ts';
import type { MemoryRow } from '../memories/memory-queries.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { FLIPBOOK_PDF_TYPE, flipbookPdfKey } from './flipbook-pdf-object.ts';
import {
  claimFlipbookPdf,
  findFlipbookPdf,
  releaseFlipbookPdf,
  updateClaimedFlipbookPdf,
  type FlipbookPdfRow,
} from './flipbook-pdf-queries.ts';
import { OutputClosedError } from './pdf-pages/sheet.ts';
import { writeBook, type BookMemory } from './pdf-pages/write-book.ts';
import { printPhoto } from './print-photo.ts';

type Context = Pick<AppContext, 'db' | 'storage' | 'imageDecoder' | 'clock'>;

/** A worker that has not said anything for so long has died. */
export const SILENT_AFTER_MS = 60_000;
const HEARTBEAT_MS = 5000;
/** A book that ends its worker each time must not do so forever. */
const MOST_ATTEMPTS = 4;

/** Somebody else makes this PDF, or nobody wants it any more. */
class ClaimLostError extends Error {}

/**
 * Makes a PDF from the first page, however often it was begun before. Of several that are at it only the one that came
 * last goes on: the others find that out with their next page.
 */
export function makeFlipbookPdfJob(context: Context): JobHandler<MakeFlipbookPdfPayload> {
  return async ({ ownerId, flipbookPdfId: id }) => {
    const now = context.clock.now();
    const silentBefore = new Date(now.getTime() - SILENT_AFTER_MS);
    const workerId = uuidv7();
    const pdf = await claimFlipbookPdf(context.db, { ownerId, id, workerId, now, silentBefore });
    if (!pdf) return;
    const say = async (changes?: Parameters<typeof updateClaimedFlipbookPdf>[2]) => {
      const claim = { ownerId, id, workerId, now: context.clock.now() };
      if (!(await updateClaimedFlipbookPdf(context.db, claim, changes))) throw new ClaimLostError();
    };
    const heartbeat = setInterval(() => void say().catch(() => undefined), HEARTBEAT_MS);
    try {
      if (pdf.attempts > MOST_ATTEMPTS) throw new Error('This book has ended its workers');
      await make(context, pdf, (memoriesDone) => say({ memoriesDone }));
      await say({ status: 'completed', finishedAt: context.clock.now() });
    } catch (error) {
      if (error instanceof ClaimLostError) return await discardUnwanted(context, pdf);
      if (pdf.attempts < MOST_ATTEMPTS) await releaseFlipbookPdf(context.db, { ownerId, id, workerId });
      else await say({ status: 'failed', finishedAt: context.clock.now() });
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  };
}

async function make(
  context: Context,
  pdf: FlipbookPdfRow,
  onProgress: (memoriesDone: number) => Promise<void>,
): Promise<void> {
  const { ownerId, timeZone, memoryIds, createdAt } = pdf;
  const rows = await findMemories(context.db, ownerId, { ids: memoryIds }, 'taken');
  if (rows.length === 0) throw new Error('The memories of this book are gone');
  const memories = rows.reverse().map((row) => toBookMemory(context, row, timeZone));
  const book = { memories, today: calendarDayOf(createdAt, timeZone), createdAt };
  const output = new PassThrough();
  // Each side hears of the other's failure by the stream between them, and says so itself.
  output.on('error', () => undefined);
  const endsWith = (error: Error): never => {
    output.destroy(error);
    throw error;
  };
  const [stored, written] = await Promise.allSettled([
    context.storage.writeStream(flipbookPdfKey(pdf.id), output, FLIPBOOK_PDF_TYPE).catch(endsWith),
    writeBook(output, book, onProgress).catch(endsWith),
  ]);
  // Where one fails the other does so too: the cause is what counts.
  if (written.status === 'rejected' && !(written.reason instanceof OutputClosedError)) throw written.reason;
  if (stored.status === 'rejected') throw stored.reason;
}

function toBookMemory(context: Context, row: MemoryRow, timeZone: string): BookMemory {
  const { caption, tags, memoryDate } = presentMemory(row);
  return {
    caption,
    tags,
    when: memoryDateInWords(memoryDate ?? calendarDayOf(row.createdAt, timeZone)),
    size: { width: row.width, height: row.height },
    async readPhoto(width) {
      const image = await findImage(context.db, row.ownerId, row.imageId);
      return image && printPhoto(context, image, width);
    },
  };
}

/** Another worker writes to the same place, unless the PDF is gone: then what this one has just stored goes too. */
async function discardUnwanted({ db, storage }: Context, { ownerId, id }: FlipbookPdfRow): Promise<void> {
  if (!(await findFlipbookPdf(db, ownerId, id))) await storage.delete(flipbookPdfKey(id));
}
