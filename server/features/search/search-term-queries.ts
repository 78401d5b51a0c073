import { and, count, eq, gt, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db/database.ts';
import { memories, memorySearchTerms } from '../../platform/db/schema/album/memories.ts';
import type { SearchPeriod } from './search-periods.ts';
import { toPetNameTerms, toSearchTerms } from './search-terms.ts';

type Searchable = Pick<typeof memories.$inferSelect, 'ownerId' | 'id' | 'caption' | 'tags'>;

type Text = string | Placeholder;

/** A prefix of a word, or a time when memories were taken. */
export type SearchTerm<Value extends Text = string> = Value | SearchPeriod<Value>;

/** Selects the ids of memories that match each of these terms, by index-only scans for prefixes. */
export function selectIdsByTerms(ownerId: string | SQL, searchTerms: SearchTerm<Text>[]): SQL {
  const matches = searchTerms.map((term) =>
    isPeriod(term) ? selectIdsByPeriod(ownerId, term) : selectIdsByPrefix(ownerId, term),
  );
  return sql.join(matches, sql` intersect `);
}

export function isPeriod<Value extends Text>(term: SearchTerm<Value>): term is SearchPeriod<Value> {
  return typeof term === 'object' && 'words' in term;
}

function selectIdsByPrefix(ownerId: string | SQL, prefix: Text): SQL {
  // U+10FFFF sorts after every other character, so this is the range of the prefix.
  return sql`select memory_id from ${memorySearchTerms}
    where owner_id = ${ownerId} and term >= ${prefix} and term < ${prefix}::text || chr(1114111)`;
}

/** "Summer 2019" may be a caption of another year. */
function selectIdsByPeriod(ownerId: string | SQL, { from, to, words }: SearchPeriod<Text>): SQL {
  const byWords = words.map((word) => selectIdsByPrefix(ownerId, word));
  return sql`(select id from memories where owner_id = ${ownerId} and deleted_at is null
      and taken_at >= ${from}::timestamp and taken_at < ${to}::timestamp
    union (${sql.join(byWords, sql` intersect `)}))`;
}

export async function addSearchTerms(tx: Tx, memory: Searchable, petName: string | undefined): Promise<void> {
  await insertTerms(tx, ownTerms(memory), toSearchTerms(toText(memory)));
  if (petName !== undefined) await insertTerms(tx, petTerms(memory), toPetNameTerms(petName));
}

/** The caller holds the memory's row lock, here and below. */
export async function replaceOwnTerms(tx: Tx, memory: Searchable): Promise<void> {
  await deleteTerms(tx, ownTerms(memory));
  await insertTerms(tx, ownTerms(memory), toSearchTerms(toText(memory)));
}

/** Of memories of one owner that have the same pet, or none. */
export async function replacePetTerms(
  tx: Tx,
  ownerId: string,
  memoryIds: string[],
  petName: string | undefined,
): Promise<void> {
  await tx.execute(sql`
    delete from ${memorySearchTerms}
    where owner_id = ${ownerId} and memory_id = any(${sql.param(memoryIds)}::uuid[]) and is_of_pet`);
  if (petName === undefined) return;
  await tx.execute(sql`
    insert into ${memorySearchTerms} (owner_id, term, memory_id, is_of_pet)
    select ${ownerId}::uuid, term, memory_id, true
    from unnest(${sql.param(memoryIds)}::uuid[]) as memory_id
      cross join unnest(${sql.param(toPetNameTerms(petName))}::text[]) as term`);
}

/** Some memories with a term that contains one of these letters, in the order of their ids. */
export function listMemoriesWithLetters(
  db: Db,
  letters: string,
  afterId: string | null,
): Promise<{ ownerId: string; id: string }[]> {
  const { ownerId, memoryId, term } = memorySearchTerms;
  return db
    .selectDistinct({ ownerId, id: memoryId })
    .from(memorySearchTerms)
    .where(and(afterId === null ? undefined : gt(memoryId, afterId), sql`${term} ~ ${`[${letters}]`}`))
    .orderBy(memoryId)
    .limit(100);
}

/** After a pet was renamed. The caller holds the pet's row lock, so that no memory is added to it. */
export async function replacePetSearchTerms(
  tx: Tx,
  ownerId: string,
  petId: string,
  name: string,
): Promise<void> {
  await deletePetSearchTerms(tx, ownerId, petId);
  await tx.execute(sql`
    insert into ${memorySearchTerms} (owner_id, term, memory_id, is_of_pet)
    select ${memories.ownerId}, term, ${memories.id}, true
    from ${memories} cross join unnest(${sql.param(toPetNameTerms(name))}::text[]) as term
    where ${isOfPet(ownerId, petId)}`);
}

/** Before a pet is deleted, which removes it from its memories. The caller holds the pet's row lock for update. */
export async function deletePetSearchTerms(tx: Tx, ownerId: string, petId: string): Promise<void> {
  await lockMemoriesOfPet(tx, ownerId, petId);
  const ids = tx.select({ id: memories.id }).from(memories).where(isOfPet(ownerId, petId));
  await tx
    .delete(memorySearchTerms)
    .where(
      and(
        eq(memorySearchTerms.ownerId, ownerId),
        eq(memorySearchTerms.isOfPet, true),
        sql`${memorySearchTerms.memoryId} in ${ids}`,
      ),
    );
}

const ownTerms = ({ ownerId, id }: Searchable) => ({ ownerId, memoryId: id, isOfPet: false });
const petTerms = ({ ownerId, id }: Searchable) => ({ ownerId, memoryId: id, isOfPet: true });

function toText({ caption, tags }: Searchable): string {
  return [caption ?? '', ...tags].join('\n');
}

/** A memory's own terms (caption, tags) or those of its pet's name. */
type TermGroup = { ownerId: string; memoryId: string; isOfPet: boolean };

async function insertTerms(
  tx: Tx,
  { ownerId, memoryId, isOfPet }: TermGroup,
  terms: string[],
): Promise<void> {
  if (terms.length === 0) return;
  await tx.execute(sql`
    insert into ${memorySearchTerms} (owner_id, term, memory_id, is_of_pet)
    select ${ownerId}::uuid, term, ${memoryId}::uuid, ${isOfPet}::boolean
    from unnest(${sql.param(terms)}::text[]) as term`);
}

async function deleteTerms(tx: Tx, { ownerId, memoryId, isOfPet }: TermGroup): Promise<void> {
  await tx
    .delete(memorySearchTerms)
    .where(
      and(
        eq(memorySearchTerms.ownerId, ownerId),
        eq(memorySearchTerms.memoryId, memoryId),
        eq(memorySearchTerms.isOfPet, isOfPet),
      ),
    );
}

/** A memory that concurrently moves to another pet has left before, or replaces its terms afterwards. */
async function lockMemoriesOfPet(tx: Tx, ownerId: string, petId: string): Promise<void> {
  const locked = tx
    .select({ id: memories.id })
    .from(memories)
    .where(isOfPet(ownerId, petId))
    .orderBy(memories.id)
    .for('no key update')
    .as('locked');
  await tx.select({ locked: count() }).from(locked);
}

/** Includes the trash: a restored memory is found by its pet's current name. */
function isOfPet(ownerId: string, petId: string) {
  return and(eq(memories.ownerId, ownerId), eq(memories.petId, petId));
}
