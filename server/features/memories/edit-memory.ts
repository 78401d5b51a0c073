import type * as z from 'zod/mini';
import { splitMemoryDate } from '#shared/calendar-date';
import type { UpdateMemoryRequest } from '#shared/memory';
import type { AppContext } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { getOwnPet } from '../pets/get-pet.ts';
import { updateMemory, type MemoryChanges, type MemoryRow } from './memory-queries.ts';
import { updateOwnWords, updatePetWords } from './memory-search-terms.ts';

type EditRequest = z.output<typeof UpdateMemoryRequest>;

/**
 * Changes what the request names and nothing else, so that two edits of different fields both stay.
 * @throws NotFoundError when the memory or the pet is not this owner's
 */
export function editMemory(
  { db }: Pick<AppContext, 'db'>,
  ownerId: string,
  id: string,
  request: EditRequest,
): Promise<MemoryRow> {
  const { caption, tags, petId } = request;
  // One statement is a transaction of its own.
  if (caption === undefined && tags === undefined && petId === undefined) {
    return updateMemory(db, ownerId, id, changesOf(request));
  }
  return db.transaction((tx) => editMemoryIn(tx, ownerId, id, request));
}

/** The same as a part of the caller's transaction. */
export async function editMemoryIn(
  tx: Tx,
  ownerId: string,
  id: string,
  request: EditRequest,
): Promise<MemoryRow> {
  const changes = changesOf(request);
  const { caption, tags, petId } = request;
  // The pet before the memory: see docs/lock-order.md.
  const pet = petId === undefined ? undefined : await getOwnPet(tx, ownerId, petId);
  if (pet !== undefined) changes.petId = pet?.id ?? null;
  // Holds the row until the end: the words are those of the last edit, also when two come at the same moment.
  const memory = await updateMemory(tx, ownerId, id, changes);
  if (caption !== undefined || tags !== undefined) await updateOwnWords(tx, memory);
  if (pet !== undefined) await updatePetWords(tx, memory, pet?.name);
  return memory;
}

function changesOf(request: EditRequest): MemoryChanges {
  const changes: MemoryChanges = {};
  if (request.isLiked !== undefined) changes.isLiked = request.isLiked;
  if (request.caption !== undefined) changes.caption = request.caption?.trim() || null;
  if (request.tags !== undefined) changes.tags = request.tags;
  if (request.memoryDate !== undefined) Object.assign(changes, dateChanges(request.memoryDate));
  if (request.memoryTime === null) changes.memoryTime = null;
  return changes;
}

function dateChanges(memoryDate: string | null): Pick<MemoryChanges, 'memoryDay' | 'memoryTime'> {
  if (!memoryDate) return { memoryDay: null, memoryTime: null };
  const { day, time } = splitMemoryDate(memoryDate);
  return time === null ? { memoryDay: day } : { memoryDay: day, memoryTime: time };
}
