import * as z from 'zod/mini';
import { DateSource } from '../dates/date-source.ts';
import { TagsInput } from '../text/tags.ts';
import { MAX_BULK_MEMORIES, Memory, UpdateMemoryRequest } from './memory.ts';

const bulkIds = z
  .array(z.uuid({ error: 'Memories must be given by their ids' }), { error: 'ids must be a list' })
  .check(z.minLength(1, { error: 'Please choose at least one photo' }));
const tooManyMemories = { error: `Please choose at most ${MAX_BULK_MEMORIES} photos at a time` };

const MAX_BULK_TAGS = 100;
const MAX_BULK_TAG_LENGTH = 10_000;
const tooManyTags = { error: `Please use at most ${MAX_BULK_TAGS} short tags at a time`, abort: true };

/** Each is compared with the tags of each photo. */
const BulkTags = z.pipe(
  TagsInput,
  z.array(z.string()).check(
    z.maxLength(MAX_BULK_TAGS, tooManyTags),
    z.refine((tags) => tags.join('').length <= MAX_BULK_TAG_LENGTH, tooManyTags),
  ),
);

/** Absent fields are unchanged. */
const BulkEdit = z.object({
  ids: bulkIds,
  ...z.pick(UpdateMemoryRequest, { petId: true, memoryDate: true, memoryTime: true }).shape,
  /** Added to the tags that each has. */
  addTags: z.optional(BulkTags),
  removeTags: z.optional(BulkTags),
  /** For an undo, with the former `memoryDate`; 'person' otherwise. */
  dateSource: z.optional(z.nullable(DateSource)),
});

/** PATCH /api/memories: all or nothing. Each memory is in one edit. */
export const BulkEditRequest = z
  .object({
    edits: z.array(BulkEdit, { error: 'edits must be a list' }).check(z.minLength(1)),
    /** For an undo: leaves out memories that are gone, and former pets that are. */
    ignoresMissing: z.optional(z.boolean({ error: 'ignoresMissing must be true or false' })),
  })
  .check(
    z.refine(({ edits }) => countIds(edits) <= MAX_BULK_MEMORIES, tooManyMemories),
    z.refine(({ edits }) => new Set(edits.flatMap(({ ids }) => ids)).size === countIds(edits), {
      error: 'Each photo can be in one edit only',
    }),
  );
export type BulkEditRequest = z.input<typeof BulkEditRequest>;

/** `undo`: the edits that bring back the former values, one for each of them. */
export const BulkEditResult = z.object({ memories: z.array(Memory), undo: z.array(BulkEdit) });
export type BulkEditResult = z.output<typeof BulkEditResult>;

function countIds(edits: { ids: string[] }[]): number {
  return edits.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** POST /api/memories/deleted moves them to the trash, POST /api/memories/deleted/restore out of it: idempotent, all or nothing. */
export const BulkIdsRequest = z.object({
  ids: bulkIds.check(z.maxLength(MAX_BULK_MEMORIES, tooManyMemories)),
});
