import type * as z from 'zod/mini';
import { splitMemoryDate } from '#shared/calendar-date';
import type { UpdateMemoryRequest } from '#shared/memory';
import type { AppContext } from '../context.ts';
import { getOwnPetId } from '../pets/pet-id.ts';
import { getMemory, updateMemory, type MemoryChanges, type MemoryRow } from './memory-queries.ts';

/**
 * Changes what the request names and nothing else, so that two edits of different fields both stay.
 * @throws NotFoundError when the memory or the pet is not this owner's
 */
export function editMemory(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  id: string,
  request: z.output<typeof UpdateMemoryRequest>,
): Promise<MemoryRow> {
  return db.transaction(async (tx) => {
    const changes: MemoryChanges = {};
    if (request.isLiked !== undefined) changes.isLiked = request.isLiked;
    if (request.caption !== undefined) changes.caption = request.caption?.trim() || null;
    if (request.tags !== undefined) changes.tags = request.tags;
    if (request.petId !== undefined) changes.petId = await getOwnPetId(tx, ownerId, request.petId);
    if (request.memoryDate !== undefined) Object.assign(changes, dateChanges(request.memoryDate));
    if (Object.keys(changes).length > 0) await updateMemory(tx, ownerId, id, changes);
    return getMemory(tx, ownerId, id);
  });
}

function dateChanges(memoryDate: string | null): Pick<MemoryChanges, 'memoryDay' | 'memoryTime'> {
  if (!memoryDate) return { memoryDay: null, memoryTime: null };
  const { day, time } = splitMemoryDate(memoryDate);
  return time === null ? { memoryDay: day } : { memoryDay: day, memoryTime: time };
}
