import type * as z from 'zod/mini';
import { joinMemoryDate } from '#shared/dates/calendar-date';
import type { BulkEditRequest, BulkEditResult } from '#shared/album/bulk-edit';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { NotFoundError, TooLargeError } from '../../../platform/errors.ts';
import { getPet } from '../../pets/pet-queries.ts';
import { withTextStorage } from '../../storage/storage-limit.ts';
import { dateChanges } from './edit-memory.ts';
import {
  isMemoryOf,
  listTexts,
  lockMemories,
  MAX_TAG_BYTES,
  selectMemories,
  sumTextBytes,
  updateMemories,
  type LockedMemory,
  type MemoryRow,
} from '../memory-queries.ts';
import { replaceOwnTerms, replacePetTerms } from '../../search/search-term-queries.ts';

type Request = z.output<typeof BulkEditRequest>;
type BulkEdit = Request['edits'][number];
type Edited = { memories: MemoryRow[]; undo: BulkEditResult['undo'] };

/**
 * All or nothing. `undo` holds the edits that bring back the former values.
 * @throws NotFoundError when a memory or a pet does not exist, is in the trash or belongs to another owner
 */
export async function editMemories(
  context: Pick<AppContext, 'config' | 'db' | 'diskSpace'>,
  ownerId: string,
  request: Request,
): Promise<Edited> {
  const { db, diskSpace } = context;
  if (!request.edits.some(changesTags)) return db.transaction((tx) => editMemoriesIn(tx, ownerId, request));
  await diskSpace.requireRoom();
  return db.transaction((tx) =>
    withTextStorage(context, tx, ownerId, () => editMemoriesIn(tx, ownerId, request)),
  );
}

async function editMemoriesIn(tx: Tx, ownerId: string, { edits, ignoresMissing }: Request): Promise<Edited> {
  const petNames = await lockPets(tx, ownerId, edits);
  const ids = edits.flatMap((edit) => edit.ids);
  const former = new Map(
    (await lockMemories(tx, ownerId, ids))
      .filter(({ deletedAt }) => deletedAt === null)
      .map((memory) => [memory.id, memory]),
  );
  const isPetMissing = edits.some(({ petId }) => petId && !petNames.has(petId));
  if (!ignoresMissing && (former.size < ids.length || isPetMissing)) throw new NotFoundError();
  requireLimit(ids, await sumTextBytes(tx, ownerId, ids));
  const texts = edits.some(changesTags) ? await listTexts(tx, ownerId, ids) : [];
  const formerTags = new Map(texts.map(({ id, tags }) => [id, tags]));
  const undo = new Undo();
  for (const edit of edits) {
    const petId = edit.petId && (petNames.has(edit.petId) ? edit.petId : null);
    const present = edit.ids.flatMap((id) => former.get(id) ?? []);
    const presentIds = present.map(({ id }) => id);
    await updateMemories(tx, ownerId, presentIds, toChanges({ ...edit, petId }));
    if (petId !== undefined) await replacePetTerms(tx, ownerId, presentIds, petNames.get(petId ?? ''));
    for (const memory of present) undo.add(edit, { ...memory, tags: formerTags.get(memory.id) ?? [] });
  }
  if (edits.some(({ addTags }) => addTags)) {
    const newSizes = await sumTextBytes(tx, ownerId, ids);
    // Otherwise an undo would be rejected.
    requireLimit(ids, newSizes);
    if (newSizes.mostTags > MAX_TAG_BYTES)
      throw new TooLargeError('One of these photos would have too many tags.');
  }
  const edited = await selectMemories(tx).where(isMemoryOf(ownerId, { ids }));
  const withNewTags = new Set(edits.filter(changesTags).flatMap((edit) => edit.ids));
  for (const memory of edited) if (withNewTags.has(memory.id)) await replaceOwnTerms(tx, memory);
  return { memories: edited, undo: undo.edits() };
}

/** All are in memory, and in the response. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

function requireLimit(ids: string[], { all }: { all: number }): void {
  if (ids.length > 1 && all > MAX_TEXT_BYTES)
    throw new TooLargeError('These photos have too much text to be changed together. Please choose fewer.');
}

/** The names by id, of those that exist; locked in the order of their ids. */
async function lockPets(tx: Tx, ownerId: string, edits: BulkEdit[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const ids = new Set(edits.map(({ petId }) => petId).filter((petId) => typeof petId === 'string'));
  for (const id of [...ids].sort()) {
    const pet = await getPet(tx, ownerId, id, 'share').catch(ignoreNotFound);
    if (pet) names.set(id, pet.name);
  }
  return names;
}

function ignoreNotFound(error: unknown): null {
  if (error instanceof NotFoundError) return null;
  throw error;
}

function changesTags({ addTags, removeTags }: BulkEdit): boolean {
  return addTags !== undefined || removeTags !== undefined;
}

function toChanges({ petId, addTags, removeTags, memoryDate, memoryTime, dateSource }: BulkEdit) {
  return {
    ...(petId !== undefined && { petId }),
    ...(memoryDate !== undefined && dateChanges(memoryDate)),
    ...(memoryDate && dateSource !== undefined && { dateSource }),
    ...(memoryTime === null && { memoryTime }),
    addedTags: addTags,
    removedTags: removeTags,
  };
}

/** Groups memories with the same former values. */
class Undo {
  readonly #edits = new Map<string, BulkEdit>();

  add({ petId, addTags = [], removeTags = [], memoryDate }: BulkEdit, former: FormerMemory): void {
    const { id, memoryDay, memoryTime, dateSource } = former;
    const tags = new Set(former.tags.map((tag) => tag.normalize()));
    const added = addTags.filter((tag) => !tags.has(tag));
    const removed = removeTags.filter((tag) => tags.has(tag));
    const values = {
      ...(petId !== undefined && { petId: former.petId }),
      ...(added.length > 0 && { removeTags: added }),
      ...(removed.length > 0 && { addTags: removed }),
      ...(memoryDate !== undefined && {
        memoryDate: memoryDay && joinMemoryDate(memoryDay, memoryTime?.slice(0, 5) ?? null),
        dateSource,
        ...(memoryTime === null && { memoryTime }),
      }),
    };
    const key = JSON.stringify(values);
    this.#edits.set(key, { ids: [...(this.#edits.get(key)?.ids ?? []), id], ...values });
  }

  edits(): BulkEdit[] {
    return [...this.#edits.values()];
  }
}

type FormerMemory = LockedMemory & { tags: string[] };
