import * as z from 'zod/mini';

// The pages of a flipbook, for the screen and the PDF.

/** In pixels on the screen and points in the PDF: about 18 by 23 cm in print. */
export const FLIPBOOK_PAGE = { width: 500, height: 650 } as const;

/** Small photos are enlarged at most by this factor. */
export const MAX_FLIPBOOK_PHOTO_SCALE = 2;

/** Pages and memories are counted from 0. */
export type FlipbookPage =
  | { kind: 'cover' }
  | { kind: 'photo'; memory: number }
  | { kind: 'caption'; memory: number }
  | { kind: 'end' };

/** The cover, two pages for each memory, and the end. */
export function countFlipbookPages(memories: number): number {
  return 1 + 2 * memories + 1;
}

/** Clamped: before the first page is the cover, after the last is the end. */
export function flipbookPageAt(page: number, memories: number): FlipbookPage {
  if (page <= 0) return { kind: 'cover' };
  if (page >= countFlipbookPages(memories) - 1) return { kind: 'end' };
  const memory = Math.floor((page - 1) / 2);
  return { kind: page % 2 === 1 ? 'photo' : 'caption', memory };
}

/** The caption is on the following page. */
export function toPhotoPage(memory: number): number {
  return 1 + 2 * memory;
}

/** A book starts with its oldest memory: lists start with the most recently taken. */
export function toBookOrder<Memory>(
  newestFirst: readonly Memory[],
  chosen: ReadonlySet<Memory> = new Set(newestFirst),
): Memory[] {
  return newestFirst.filter((memory) => chosen.has(memory)).reverse();
}

export const NO_MEMORIES_SELECTED = 'Please select at least one memory to create a flipbook.';
const MAX_PDF_MEMORIES = 500;
/** Longer ones do not fit on the cover. */
export const MAX_FLIPBOOK_TITLE_LENGTH = 60;

/** POST /api/flipbooks/pdf: unknown ids are ignored. */
export const CreateFlipbookPdfRequest = z.object({
  /** On the cover. By default, and if it is empty, `flipbookTexts.title`. */
  title: z.optional(
    z.string({ error: 'The title must be text' }).check(
      z.trim(),
      z.maxLength(MAX_FLIPBOOK_TITLE_LENGTH, {
        error: `Please keep the title under ${MAX_FLIPBOOK_TITLE_LENGTH + 1} characters`,
      }),
    ),
  ),
  memoryIds: z
    .array(z.string({ error: 'Memories must be given by their ids' }), {
      error: 'memoryIds must be a list of ids',
    })
    .check(
      z.minLength(1, { error: NO_MEMORIES_SELECTED }),
      z.maxLength(MAX_PDF_MEMORIES, {
        error: `A PDF holds at most ${MAX_PDF_MEMORIES} memories. Please select fewer.`,
      }),
    ),
});
export type CreateFlipbookPdfRequest = z.infer<typeof CreateFlipbookPdfRequest>;

/** A PDF is deleted after a day, or when its owner starts another one. */
export const FlipbookPdf = z.object({
  id: z.uuid(),
  status: z.enum(['making', 'completed', 'failed']),
  progress: z.int(),
  /** A download for the owner only; null unless completed. */
  url: z.nullable(z.string()),
});
export type FlipbookPdf = z.infer<typeof FlipbookPdf>;
