import * as z from 'zod/mini';
import { formatLongDay } from './calendar-date.ts';

// The book as the screen and the PDF share it: which pages there are, and what stands on them.

/** A page's size, in the screen's pixels and in the PDF's points: about 18 by 23 cm in print. */
export const FLIPBOOK_PAGE = { width: 500, height: 650 } as const;

/** A small photo is not blown up beyond recognition: so much larger at most than its own pixels. */
export const MAX_FLIPBOOK_PHOTO_SCALE = 2;

/** Pages count from 0, memories too. */
export type FlipbookPage =
  | { kind: 'cover' }
  | { kind: 'photo'; memory: number }
  | { kind: 'caption'; memory: number }
  | { kind: 'end' };

/** The cover, a photo and a caption page for each memory, and the end. */
export function countFlipbookPages(memories: number): number {
  return 1 + 2 * memories + 1;
}

/** What is on a page of a book of so many memories. One before the first is the first, one after the last the last. */
export function flipbookPageAt(page: number, memories: number): FlipbookPage {
  if (page <= 0) return { kind: 'cover' };
  if (page >= countFlipbookPages(memories) - 1) return { kind: 'end' };
  const memory = Math.floor((page - 1) / 2);
  return { kind: page % 2 === 1 ? 'photo' : 'caption', memory };
}

/** The page with a memory's photo; its caption is on the next one. */
export function toPhotoPage(memory: number): number {
  return 1 + 2 * memory;
}

export const flipbookTexts = {
  title: 'Memory Flipbook',
  count: (memories: number) => `${memories} Beautiful ${memories === 1 ? 'Memory' : 'Memories'}`,
  dedication: 'Created with love',
  untitled: 'Untitled Memory',
  /** `memory` counts from 0. */
  place: (memory: number, memories: number) => `Memory ${memory + 1} of ${memories}`,
  missingPhoto: 'Image not found',
  end: 'The End',
  /** `today` is a calendar date where the reader is. */
  createdOn: (today: string) => `Created on ${formatLongDay(today)}`,
  madeWith: 'Made with Mems Are Forever',
};

/** How many memories one PDF may hold. */
const FLIPBOOK_PDF_MAX = 500;

/** POST /api/flipbooks/pdf. The book has its own order; a memory that is not there (any more) is left out. */
export const CreateFlipbookPdfRequest = z.object({
  memoryIds: z
    .array(z.string({ error: 'Memories must be given by their ids' }), {
      error: 'memoryIds must be a list of ids',
    })
    .check(
      z.minLength(1, { error: 'Please select at least one memory to create a flipbook.' }),
      z.maxLength(FLIPBOOK_PDF_MAX, {
        error: `A PDF holds at most ${FLIPBOOK_PDF_MAX} memories. Please select fewer.`,
      }),
    ),
});
export type CreateFlipbookPdfRequest = z.infer<typeof CreateFlipbookPdfRequest>;

/**
 * A PDF on its way, or made. Answered to POST (202) and to GET /api/flipbooks/pdf/:id, which is asked again while it
 * is being made. It is kept for a day, or until its owner starts another one.
 */
export const FlipbookPdf = z.object({
  id: z.uuid(),
  status: z.enum(['making', 'completed', 'failed']),
  /** Per cent, a whole number; 100 when completed. */
  progress: z.int(),
  /** Where it lies once completed: a download for its owner alone. Null before that. */
  url: z.nullable(z.string()),
});
export type FlipbookPdf = z.infer<typeof FlipbookPdf>;
