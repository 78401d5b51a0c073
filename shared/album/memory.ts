import * as z from 'zod/mini';
import { PageQuery } from '../api/pagination.ts';
import { MemoryDate, MemoryDateInput } from '../dates/calendar-date.ts';
import { DateSource, MAX_FILE_NAME_LENGTH, SidecarDate } from '../dates/date-source.ts';
import { TagsInput } from '../text/tags.ts';

/** How the photo was added. */
export const MemorySource = z.enum(['web', 'mms', 'email', 'caricature']);
export type MemorySource = z.infer<typeof MemorySource>;

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
  /** Null without a date, and for dates from before this was recorded. */
  dateSource: z.nullable(DateSource),
  createdAt: z.iso.datetime(),
  source: MemorySource,
  /** Pixels of the upright image. */
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  /** The photo moves: `imageUrl` without `w` plays it, its widths show the first frame. */
  isAnimated: z.boolean(),
  /** A thumbhash in base64: the blur shown while the image is loading. */
  placeholder: z.nullable(z.string()),
});
export type Memory = z.infer<typeof Memory>;

/** In place of a caption, and of an image that cannot be loaded. */
export const UNTITLED_MEMORY = 'Untitled Memory';
export const IMAGE_NOT_FOUND = 'Image not found';

export const MemoryList = z.array(Memory);

/** A deleted memory can be restored for this long, then it is purged. */
export const TRASH_DAYS = 30;

export const DeletedMemory = z.extend(Memory, { deletedAt: z.iso.datetime() });
export type DeletedMemory = z.infer<typeof DeletedMemory>;

/** GET /api/memories/deleted: most recently deleted first. */
export const DeletedMemoryList = z.array(DeletedMemory);

/** Newest first. `taken` sorts by the memory date, or by the day of creation without one. */
export const MemoryOrder = z.enum(['added', 'taken'], { error: 'order must be added or taken' });
export type MemoryOrder = z.infer<typeof MemoryOrder>;

export const MAX_MEMORY_IDS = 100;
export const MAX_SEARCH_LENGTH = 1000;

const tooManyIds = { error: `Please ask for at most ${MAX_MEMORY_IDS} memories at a time` };
const search = z.optional(
  z
    .string({ error: 'q must be text' })
    .check(z.maxLength(MAX_SEARCH_LENGTH, { error: 'Please search for fewer words' })),
);
const petId = z.optional(z.string({ error: 'The pet must be given by its id' }));
const isLiked = z.optional(z.literal('true', { error: 'isLiked must be true or absent' }));
const order = z._default(MemoryOrder, 'added');

/** GET /api/memories. An empty petId is ignored, and so are unknown ids. */
export const MemoryListQuery = z.extend(PageQuery, {
  petId,
  isLiked,
  order,
  ids: z.optional(
    z.pipe(
      z.pipe(
        z.string({ error: 'ids must be separated by commas' }),
        z.transform((text) => text.split(',')),
      ),
      z.array(z.string()).check(z.maxLength(MAX_MEMORY_IDS, tooManyIds)),
    ),
  ),
});
export type MemoryListQuery = z.infer<typeof MemoryListQuery>;

/** GET /api/memories/search: every word of `q` is a prefix of a word in the caption, the tags or the pet's name. */
export const MemorySearchQuery = z.extend(MemoryListQuery, { q: search });

export const MemoryIdsQuery = z.object({ petId, isLiked, order, q: search });

/** GET /api/memories/stats: counts the memories that match. */
export const MemoryStatsQuery = z.object({ petId, isLiked, q: search });

/** GET /api/memories/pet-counts: pets without memories are left out. */
export const MemoryPetCounts = z.array(
  z.object({
    petId: z.uuid(),
    count: z.int(),
    /** Of the memory that was added last, a saved caricature only without others: the picture of a pet without one. */
    newestImageUrl: z.string(),
  }),
);
export type MemoryPetCounts = z.infer<typeof MemoryPetCounts>;

/** The ids of all memories that match: for Select All. */
export const MemoryIdList = z.array(z.uuid());

export const MemoryMonthsQuery = z.object({ petId, order });

/** A month's `cursor` leads to its `count` memories. With order `added`, months are in the browser's time zone. */
export const MemoryMonthList = z.array(
  z.object({
    /** `YYYY-MM` */
    month: z.string(),
    count: z.int(),
    cursor: z.string(),
  }),
);
export type MemoryMonthList = z.infer<typeof MemoryMonthList>;

/** GET /api/memories/featured: today's photo on the home page, in the browser's time zone. Null without one. */
export const FeaturedMemory = z.object({
  /** `recent`: one of the last added. */
  reason: z.enum(['on-this-day', 'loved', 'recent']),
  /** Since its memory date, only `on-this-day`. */
  yearsAgo: z.nullable(z.int()),
  memory: Memory,
});
export type FeaturedMemory = z.infer<typeof FeaturedMemory>;

/** POST /api/memories/complete-upload: empty strings count as absent. */
export const CompleteUploadRequest = z.object({
  uploadURL: z
    .string({ error: 'uploadURL is required' })
    .check(z.minLength(1, { error: 'uploadURL is required' })),
  caption: z.nullish(z.string({ error: 'The caption must be text' })),
  tags: z.nullish(TagsInput),
  memoryDate: z.nullish(MemoryDateInput),
  petId: z.nullish(z.union([z.literal(''), z.string()], { error: 'The pet must be given by its id' })),
  isLiked: z.optional(z.boolean({ error: 'isLiked must be true or false' })),
  /** Leaves the memory undated, even if the photo has a date. Ignored with a `memoryDate`. */
  isUndated: z.optional(z.boolean({ error: 'isUndated must be true or false' })),
  // Otherwise `chooseMemoryDate` uses the photo's EXIF date and these.
  /** The EXIF date before the browser edited the photo, which removes it. */
  exifDate: z.nullish(MemoryDate),
  sidecarDate: z.nullish(SidecarDate),
  fileName: z.nullish(
    z.string({ error: 'The file name must be text' }).check(
      z.maxLength(MAX_FILE_NAME_LENGTH, {
        error: `The file name must have at most ${MAX_FILE_NAME_LENGTH} characters`,
      }),
    ),
  ),
});
export type CompleteUploadRequest = z.input<typeof CompleteUploadRequest>;

/**
 * 201 with a new memory, or 200 with the existing memory of the same photo. `before`: where the photo was; one in the trash was
 * restored.
 */
export const CompletedUpload = z.extend(Memory, { before: z.enum(['none', 'album', 'trash']) });
export type CompletedUpload = z.infer<typeof CompletedUpload>;

/** In the browser's time zone (`X-Time-Zone`), without deleted memories. */
export const MemoryStats = z.object({
  total: z.int(),
  /** Added in the current calendar month. */
  thisMonth: z.int(),
  /** Distinct calendar days on which a memory was added. */
  daysActive: z.int(),
});
export type MemoryStats = z.infer<typeof MemoryStats>;

/** Absent fields are unchanged. A date without a time keeps the stored time; `memoryTime: null` clears it. */
export const UpdateMemoryRequest = z.object({
  isLiked: z.optional(z.boolean({ error: 'isLiked must be true or false' })),
  caption: z.optional(z.nullable(z.string({ error: 'The caption must be text' }))),
  tags: z.optional(TagsInput),
  memoryDate: z.optional(z.nullable(MemoryDateInput)),
  memoryTime: z.optional(z.null({ error: 'A time needs a date' })),
  petId: z.optional(z.nullable(z.string({ error: 'The pet must be given by its id' }))),
});
export type UpdateMemoryRequest = z.input<typeof UpdateMemoryRequest>;

/** The most memories that one call can change. */
export const MAX_BULK_MEMORIES = 1000;
