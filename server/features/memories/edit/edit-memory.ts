import type * as z from 'zod/mini';
import { splitMemoryDate } from '#shared/dates/calendar-date';
import type { DateSource } from '#shared/dates/date-source';
import type { UpdateMemoryRequest } from '#shared/album/memory';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getPet } from '../../pets/pet-queries.ts';
import { withTextStorage } from '../../storage/storage-limit.ts';
import { updateMemory, type MemoryChanges, type MemoryRow } from '../memory-queries.ts';
import { replaceOwnTerms, replacePetTerms } from '../../search/search-term-queries.ts';

type EditRequest = z.output<typeof UpdateMemoryRequest>;
/** A date counts as entered by a person unless its source is given. */
type Edit = EditRequest & { dateSource?: DateSource | null };

/** Changes only the given fields, so that concurrent edits of different fields both take effect. */
export async function editMemory(
  context: Pick<AppContext, 'config' | 'db' | 'diskSpace'>,
  ownerId: string,
  id: string,
  request: EditRequest,
): Promise<MemoryRow> {
  const { db, diskSpace } = context;
  const hasText = request.caption !== undefined || request.tags !== undefined;
  // A single statement needs no transaction.
  if (!hasText && request.petId === undefined) return updateMemory(db, ownerId, id, toChanges(request));
  if (!hasText) return db.transaction((tx) => editMemoryIn(tx, ownerId, id, request));
  await diskSpace.requireRoom();
  return db.transaction((tx) =>
    withTextStorage(context, tx, ownerId, () => editMemoryIn(tx, ownerId, id, request)),
  );
}

/** Like `editMemory`, in the caller's transaction. */
export async function editMemoryIn(tx: Tx, ownerId: string, id: string, request: Edit): Promise<MemoryRow> {
  const changes = toChanges(request);
  const { caption, tags, petId } = request;
  // Lock the pet before the memory, as renaming a pet does.
  const pet = petId ? await getPet(tx, ownerId, petId, 'share') : null;
  if (petId !== undefined) changes.petId = pet?.id ?? null;
  // Locks the row until the commit, so that the search terms match the last of concurrent edits.
  const memory = await updateMemory(tx, ownerId, id, changes);
  if (caption !== undefined || tags !== undefined) await replaceOwnTerms(tx, memory);
  if (petId !== undefined) await replacePetTerms(tx, ownerId, [id], pet?.name);
  return memory;
}

function toChanges(request: Edit): MemoryChanges {
  const changes: MemoryChanges = {};
  if (request.isLiked !== undefined) changes.isLiked = request.isLiked;
  if (request.caption !== undefined) changes.caption = request.caption?.trim() || null;
  if (request.tags !== undefined) changes.tags = request.tags;
  if (request.memoryDate !== undefined) Object.assign(changes, dateChanges(request.memoryDate));
  if (request.memoryDate && request.dateSource !== undefined) changes.dateSource = request.dateSource;
  if (request.memoryTime === null) changes.memoryTime = null;
  return changes;
}

export function dateChanges(
  memoryDate: string | null,
): Pick<MemoryChanges, 'memoryDay' | 'memoryTime' | 'dateSource'> {
  if (!memoryDate) return { memoryDay: null, memoryTime: null, dateSource: null };
  const { day, time } = splitMemoryDate(memoryDate);
  return { memoryDay: day, dateSource: 'person', ...(time !== null && { memoryTime: time }) };
}
