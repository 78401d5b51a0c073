import { PassThrough } from 'node:stream';
import * as z from 'zod';
import { toBookOrder } from '#shared/album/flipbook';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import { toCalendarDay, formatMemoryDate } from '#shared/dates/calendar-date';
import type { AppContext } from '../../platform/context.ts';
import { flipbookPdfs } from '../../platform/db/schema/album/flipbook-pdfs.ts';
import { DecodeTimeoutError, MAX_DECODE_ATTEMPTS, UnsupportedImageError } from '../../platform/errors.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { runWorkItem, type WorkItems } from '../../platform/jobs/work-item.ts';
import { findImage, type ImageRow } from '../images/image-queries.ts';
import { isShownByBrowsers, variantKey } from '../images/image-variants.ts';
import { presentMemory } from '../memories/memory-presenter.ts';
import { findMemories, type MemoryRow } from '../memories/memory-queries.ts';
import { flipbookPdfKey } from '../storage/object-keys.ts';
import { findFlipbookPdf, type FlipbookPdfRow } from './flipbook-pdf-queries.ts';
import type { PdfMemory } from './pdf-pages/write-flipbook-pdf.ts';

/** Print quality without visible loss, at two thirds of the bytes of the default. */
const JPEG_QUALITY = 86;

export const flipbookPdfItems: WorkItems<FlipbookPdfRow> = {
  table: flipbookPdfs,
  status: 'making',
  since: flipbookPdfs.createdAt,
  maxWaitMs: 2 * 60 * 60 * 1000,
  async enqueue({ jobs }, tx, { ownerId, id: flipbookPdfId }, delaySeconds) {
    await jobs.enqueue(tx, makeFlipbookPdfJob, { ownerId, flipbookPdfId }, { delaySeconds });
  },
};

/** Every attempt starts over and takes the PDF from an earlier worker, which stops at its next page. */
export const makeFlipbookPdfJob = defineJob({
  name: 'make-flipbook-pdf',
  payload: z.object({ ownerId: z.string(), flipbookPdfId: z.string() }),
  retries: 3,
  // 500 photos take minutes, more on a slow machine.
  expireInSeconds: 2 * 60 * 60,
  async handle(context, { ownerId, flipbookPdfId: id }, stopping) {
    await runWorkItem(context, flipbookPdfItems, { ownerId, id }, stopping, {
      async work(pdf, update) {
        await writeToStorage(context, pdf, (memoriesDone) => update({ memoriesDone }));
        await update({ status: 'completed', finishedAt: context.clock.now() });
      },
      fail: (_pdf, update) => update({ status: 'failed', finishedAt: context.clock.now() }),
      onClaimLost: (pdf) => deleteObjectWithoutRow(context, pdf),
    });
  },
});

async function writeToStorage(
  context: AppContext,
  pdf: FlipbookPdfRow,
  onProgress: (memoriesDone: number) => Promise<void>,
): Promise<void> {
  // Large, and most processes never make a PDF.
  const { OutputClosedError } = await import('./pdf-pages/pdf-canvas.ts');
  const { writeFlipbookPdf } = await import('./pdf-pages/write-flipbook-pdf.ts');
  const { ownerId, title, timeZone, memoryIds, createdAt } = pdf;
  const rows = await findMemories(context.db, ownerId, { ids: memoryIds }, 'taken');
  if (rows.length === 0) throw new Error('The memories of the PDF were deleted');
  const memories = toBookOrder(rows).map((row) => toPdfMemory(context, row, pdf));
  const flipbook = {
    title: title ?? flipbookTexts.title,
    memories,
    today: toCalendarDay(createdAt, timeZone),
    createdAt,
  };
  const output = new PassThrough();
  // Destroying the stream tells the other side of an error; both promises report it.
  output.on('error', () => undefined);
  const destroyOutput = (error: Error): never => {
    output.destroy(error);
    throw error;
  };
  const [stored, written] = await Promise.allSettled([
    context.storage.writeStream(flipbookPdfKey(pdf), output, 'application/pdf').catch(destroyOutput),
    writeFlipbookPdf(output, flipbook, onProgress).catch(destroyOutput),
  ]);
  // An error on one side fails the other too; throw the original one.
  if (written.status === 'rejected' && !(written.reason instanceof OutputClosedError)) throw written.reason;
  if (stored.status === 'rejected') throw stored.reason;
}

function toPdfMemory(
  context: AppContext,
  row: MemoryRow,
  { timeZone, attempts }: Pick<FlipbookPdfRow, 'timeZone' | 'attempts'>,
): PdfMemory {
  // Then a page is made without its photo.
  const isLastAttempt = attempts >= MAX_DECODE_ATTEMPTS;
  const { caption, tags, memoryDate } = presentMemory(row);
  return {
    caption,
    tags,
    date: formatMemoryDate(memoryDate ?? toCalendarDay(row.createdAt, timeZone)),
    size: { width: row.width, height: row.height },
    async readPhoto(width) {
      const image = await findImage(context.db, row.ownerId, row.imageId);
      return image && renderForPrint(context, image, { width, isLastAttempt });
    },
  };
}

/** Another worker overwrites the object; if the row was deleted, this worker may have stored it after its deletion. */
async function deleteObjectWithoutRow(
  { db, storage }: AppContext,
  { ownerId, id }: FlipbookPdfRow,
): Promise<void> {
  if (!(await findFlipbookPdf(db, ownerId, id))) await storage.delete(flipbookPdfKey({ id }));
}

async function renderForPrint(
  { storage, imageDecoder }: AppContext,
  image: Pick<ImageRow, 'id' | 'ownerId' | 'objectKey' | 'contentType' | 'copyVersion' | 'isTurned'>,
  { width, isLastAttempt }: { width: number; isLastAttempt: boolean },
): Promise<Buffer | null> {
  // Decoding a HEIC takes seconds; prefer its full-size JPEG.
  const jpegVariant = isShownByBrowsers(image)
    ? null
    : await storage.read(variantKey(image.id, 'full', image.copyVersion));
  const bytes = jpegVariant ?? (await storage.read(image.objectKey));
  if (!bytes) return null;
  try {
    const rendering = { format: 'jpeg' as const, width, isForPrint: true, quality: JPEG_QUALITY };
    const [jpeg] = await imageDecoder.render(image.ownerId, bytes, [rendering], 'background');
    return jpeg ?? null;
  } catch (error) {
    if (error instanceof UnsupportedImageError) return null;
    if (error instanceof DecodeTimeoutError && isLastAttempt) return null;
    throw error;
  }
}
