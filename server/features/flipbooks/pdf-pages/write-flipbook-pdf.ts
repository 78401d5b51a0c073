import type { PassThrough } from 'node:stream';
import type { CalendarDate } from '#shared/dates/calendar-date';
import { drawCaptionPage, type CaptionText } from './caption-page.ts';
import { coverPhotoWidth, drawCover, drawEnd, type CoverPhoto } from './cover-pages.ts';
import { drawPhotoPage, printWidth, type PhotoSize } from './photo-page.ts';
import { PdfCanvas } from './pdf-canvas.ts';

export type PdfMemory = CaptionText & {
  size: PhotoSize;
  /** An upright JPEG; null when the photo cannot be read. */
  readPhoto(width: number): Promise<Buffer | null>;
};

/** Holds only one photo in memory: it waits after each memory until the output has consumed its pages. */
export async function writeFlipbookPdf(
  output: PassThrough,
  flipbook: { title: string; memories: readonly PdfMemory[]; today: CalendarDate; createdAt: Date },
  onProgress: (memoriesDone: number) => Promise<void>,
): Promise<void> {
  const canvas = new PdfCanvas(output, { title: flipbook.title, createdAt: flipbook.createdAt });
  await drawCover(
    canvas,
    flipbook.title,
    flipbook.memories.length,
    await readCoverPhoto(flipbook.memories[0]),
  );
  for (const [index, memory] of flipbook.memories.entries()) {
    await drawPhotoPage(canvas, {
      size: memory.size,
      jpeg: await memory.readPhoto(printWidth(memory.size)),
    });
    await drawCaptionPage(canvas, memory, { memory: index, memories: flipbook.memories.length });
    await canvas.flush();
    await onProgress(index + 1);
  }
  await drawEnd(canvas, flipbook.today);
  await canvas.end();
}

async function readCoverPhoto(memory: PdfMemory | undefined): Promise<CoverPhoto | null> {
  const jpeg = memory && (await memory.readPhoto(coverPhotoWidth(memory.size)));
  return jpeg ? { jpeg, size: memory.size } : null;
}
