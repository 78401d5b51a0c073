import * as z from 'zod/mini';
import { MemoryDateInput } from './calendar-date.ts';
import { TagsInput } from './tags.ts';

/** Where a memory came from. */
export const MemorySource = z.enum(['web', 'mms', 'email', 'caricature']);
export type MemorySource = z.infer<typeof MemorySource>;

/** One photo with its story. */
export const Memory = z.object({
  id: z.uuid(),
  petId: z.nullable(z.uuid()),
  /** `/objects/<id>`; add `?w=` with one of IMAGE_WIDTHS for an upright WebP of that width. */
  imageUrl: z.string(),
  caption: z.nullable(z.string()),
  tags: z.array(z.string()),
  isLiked: z.boolean(),
  /** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm`, without a zone. */
  memoryDate: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  source: MemorySource,
  /** Pixels of the upright picture. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** A thumbhash in base64: the blur shown before the picture is there. */
  placeholder: z.nullable(z.string()),
});
export type Memory = z.infer<typeof Memory>;

export const MemoryList = z.array(Memory);

/** POST /api/memories/complete-upload. An empty text counts as absent: forms send what they have. */
export const CompleteUploadRequest = z.object({
  uploadURL: z
    .string({ error: 'uploadURL is required' })
    .check(z.minLength(1, { error: 'uploadURL is required' })),
  caption: z.nullish(z.string({ error: 'The caption must be text' })),
  tags: z.nullish(TagsInput),
  memoryDate: z.nullish(MemoryDateInput),
  petId: z.nullish(z.union([z.literal(''), z.string()], { error: 'The pet must be named by its id' })),
});
export type CompleteUploadRequest = z.input<typeof CompleteUploadRequest>;

/** Counts for the browser's time zone (`X-Time-Zone`). Deleted memories count nowhere. */
export const MemoryStats = z.object({
  total: z.int(),
  /** Added in the current calendar month. */
  thisMonth: z.int(),
  /** Distinct calendar days on which a memory was added. */
  daysActive: z.int(),
});
export type MemoryStats = z.infer<typeof MemoryStats>;

/**
 * PATCH /api/memories/:id: what is named changes, all else stays. Null, or an empty text, clears.
 * A date without a time keeps the time that is there.
 */
export const UpdateMemoryRequest = z.object({
  isLiked: z.optional(z.boolean({ error: 'isLiked must be true or false' })),
  caption: z.optional(z.nullable(z.string({ error: 'The caption must be text' }))),
  tags: z.optional(TagsInput),
  memoryDate: z.optional(z.nullable(MemoryDateInput)),
  petId: z.optional(z.nullable(z.string({ error: 'The pet must be named by its id' }))),
});
export type UpdateMemoryRequest = z.input<typeof UpdateMemoryRequest>;
