import { and, eq, isNull, type Placeholder, sql, type SQL } from 'drizzle-orm';
import { memories, memoryWords } from '../db/schema/memories.ts';

/** Which of an owner's memories: those that all of these are true of. */
export type MemoryFilters = {
  id?: string | undefined;
  ids?: string[] | undefined;
  petId?: string | undefined;
  /** As `searchedWords` spells them. */
  words?: string[] | undefined;
};

/**
 * The one place that says which memories there are for an owner: every call that reads or changes them asks here.
 * Deleted ones are not; they are the trash's alone.
 */
export function isMemoryOf(
  ownerId: string | Placeholder,
  { id, ids, petId, words = [] }: MemoryFilters = {},
) {
  return and(
    eq(memories.ownerId, ownerId),
    isNull(memories.deletedAt),
    id === undefined ? undefined : eq(memories.id, id),
    ids === undefined ? undefined : sql`${memories.id} = any(${sql.param(ids)}::uuid[])`,
    petId === undefined ? undefined : eq(memories.petId, petId),
    words.length === 0 ? undefined : sql`${memories.id} in (${idsWithWords(ownerId, words)})`,
  );
}

/** No words filter nothing; no ids leave nothing. */
export function hasFilters({ words = [], ...others }: MemoryFilters): boolean {
  return words.length > 0 || Object.values(others).some((filter) => filter !== undefined);
}

/** The memories that each of the words begins a word of, from the index alone. */
function idsWithWords(ownerId: string | Placeholder, words: string[]): SQL {
  const found = words.map((word) => {
    // One owner's words that begin alike lie side by side; no character sorts after U+10FFFF.
    const afterAll = `${word}\u{10FFFF}`;
    return sql`select memory_id from ${memoryWords}
      where owner_id = ${ownerId} and word >= ${word} and word < ${afterAll}`;
  });
  return sql.join(found, sql` intersect `);
}
