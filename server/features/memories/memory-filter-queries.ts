import { and, eq, isNull, type Placeholder, sql, type SQL } from 'drizzle-orm';
import { memories, memoryWords } from '../../platform/db/schema/memories.ts';

/** Which of an owner's memories: those that all of these are true of. */
export type MemoryFilters<Text = string, Texts = string[]> = {
  id?: Text | undefined;
  ids?: Texts | undefined;
  petId?: Text | undefined;
  /** As `searchedWords` spells them. */
  words?: Text[] | undefined;
};

/** The same, without saying yet which: of a statement that is prepared. */
export type PlaceholderFilters = MemoryFilters<Placeholder, Placeholder>;

/**
 * The one place that says which memories there are for an owner: every call that reads or changes them asks here.
 * Deleted ones are not; they are the trash's alone.
 */
export function isMemoryOf(
  ownerId: string | SQL,
  { id, ids, petId, words = [] }: MemoryFilters | PlaceholderFilters = {},
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
export function hasFilters({ words = [], ...others }: MemoryFilters | PlaceholderFilters): boolean {
  return words.length > 0 || Object.values(others).some((filter) => filter !== undefined);
}

/** The memories that each of the words begins a word of, from the index alone. */
function idsWithWords(ownerId: string | SQL, words: (string | Placeholder)[]): SQL {
  const found = words.map(
    // One owner's words that begin alike lie side by side; no character sorts after U+10FFFF.
    (word) => sql`select memory_id from ${memoryWords}
      where owner_id = ${ownerId} and word >= ${word} and word < ${word}::text || chr(1114111)`,
  );
  return sql.join(found, sql` intersect `);
}
