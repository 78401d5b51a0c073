import type { PassThrough } from 'node:stream';
import type { CalendarDate } from '#shared/calendar-date';
import { flipbookTexts } from '#shared/flipbook';
import { drawCaptionPage, type Story } from './caption-page.ts';
import { coverWidthOf, drawCover, drawEnd, type CoverPhoto } from './cover-pages.ts';
import { drawPhotoPage, printWidthOf, type PhotoSize } from './photo-page.ts';
import { createSheets } from './sheet.ts';

export type BookMemory = Story & {
  size: PhotoSize;
  /** The photo as an upright JPEG at most so many pixels wide; null when it cannot be shown. */
  readPhoto(width: number): Promise<Buffer | null>;
};

/**
 * Writes the book as a PDF, page by page: only one photo is in memory at a time, and the next one waits until the
 * output has taken it.
 */
export async function writeBook(
  output: PassThrough,
  book: { memories: readonly BookMemory[]; today: CalendarDate; createdAt: Date },
  onProgress: (memoriesDone: number) => Promise<void>,
): Promise<void> {
  const sheets = createSheets(output, { title: flipbookTexts.title, createdAt: book.createdAt });
  await drawCover(sheets, book.memories.length, await coverPhotoOf(book.memories[0]));
  for (const [index, memory] of book.memories.entries()) {
    await drawPhotoPage(sheets, {
      size: memory.size,
      jpeg: await memory.readPhoto(printWidthOf(memory.size)),
    });
    await drawCaptionPage(sheets, memory, { memory: index, memories: book.memories.length });
    await sheets.flush();
    await onProgress(index + 1);
  }
  await drawEnd(sheets, book.today);
  await sheets.end();
}

async function coverPhotoOf(memory: BookMemory | undefined): Promise<CoverPhoto | null> {
  const jpeg = memory && (await memory.readPhoto(coverWidthOf(memory.size)));
  return jpeg ? { jpeg, size: memory.size } : null;
}
