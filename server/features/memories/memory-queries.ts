import { and, desc, eq, getTableColumns, isNull, type Placeholder, sql, type SQL } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { MemoryOrder } from '#shared/album/memory';
import { ownedBy } from '../../platform/db/conditions.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { images } from '../../platform/db/schema/album/images.ts';
import { memories } from '../../platform/db/schema/album/memories.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { selectIdsByTerms, type SearchTerm } from '../search/search-term-queries.ts';

/** As many as a request that sets them can have. */
export const MAX_TAG_BYTES = 256 * 1024;

export type MemoryRow = typeof memories.$inferSelect &
  Pick<typeof images.$inferSelect, 'width' | 'height' | 'isAnimated' | 'placeholder'>;
const CHANGEABLE = ['caption', 'dateSource', 'isLiked', 'memoryDay', 'memoryTime', 'petId', 'tags'] as const;
type Changeable = (typeof CHANGEABLE)[number];
export type MemoryChanges = Partial<Pick<typeof memories.$inferSelect, Changeable>>;
type MemoryValues = Omit<typeof memories.$inferInsert, 'id'> & { id?: string };

export type MemoryFilters<Text extends string | Placeholder = string, Texts = string[]> = {
  id?: Text | undefined;
  ids?: Texts | undefined;
  petId?: Text | undefined;
  isLiked?: true | undefined;
  /** From `parseSearchQuery` and `findSearchPeriods`. */
  searchTerms?: SearchTerm<Text>[] | undefined;
};

/** Of a prepared statement. */
export type PlaceholderFilters = MemoryFilters<Placeholder, Placeholder>;

/** The condition for an owner's memories outside the trash. Every query that reads or changes them uses it. */
export function isMemoryOf(
  ownerId: string | SQL,
  { id, ids, petId, isLiked, searchTerms = [] }: MemoryFilters | PlaceholderFilters = {},
) {
  return and(
    eq(memories.ownerId, ownerId),
    isNull(memories.deletedAt),
    id === undefined ? undefined : eq(memories.id, id),
    ids === undefined ? undefined : sql`${memories.id} = any(${sql.param(ids)}::uuid[])`,
    petId === undefined ? undefined : eq(memories.petId, petId),
    // As in the index of loved memories.
    isLiked ? sql`${memories.isLiked}` : undefined,
    searchTerms.length === 0 ? undefined : sql`${memories.id} in (${selectIdsByTerms(ownerId, searchTerms)})`,
  );
}

/** An empty list of ids is a filter: it matches nothing. */
export function hasFilters({ searchTerms = [], ...others }: MemoryFilters | PlaceholderFilters): boolean {
  return searchTerms.length > 0 || Object.values(others).some((filter) => filter !== undefined);
}

export const memoryColumns = {
  ...getTableColumns(memories),
  width: images.width,
  height: images.height,
  isAnimated: images.isAnimated,
  placeholder: images.placeholder,
};

/** Null when it does not exist, is in the trash or belongs to another owner. */
export async function findMemory(db: Db | Tx, ownerId: string, id: string): Promise<MemoryRow | null> {
  const [row] = await selectMemories(db).where(isMemoryOf(ownerId, { id }));
  return row ?? null;
}

export async function findMemoryOrDeleted(
  db: Db | Tx,
  ownerId: string,
  id: string,
): Promise<MemoryRow | null> {
  const [row] = await selectMemories(db).where(ownedBy(memories, ownerId, id));
  return row ?? null;
}

export async function getMemory(db: Db | Tx, ownerId: string, id: string): Promise<MemoryRow> {
  const memory = await findMemory(db, ownerId, id);
  if (!memory) throw new NotFoundError();
  return memory;
}

export async function insertMemory(tx: Tx, memory: MemoryValues) {
  const [row] = await tx
    .insert(memories)
    .values({ id: uuidv7(), ...memory })
    .returning();
  if (!row) throw new Error('The new memory was not returned');
  return row;
}

const nameOfUpdate = (fields: readonly Changeable[]) => `set_${fields.join('_')}`;
// Postgres cuts longer names: two different statements could have the same.
if (nameOfUpdate(CHANGEABLE).length > 63) throw new Error('The name of the longest update is too long');

/** Building it would cost a like as much time as the rest of its request. */
const updateStatement = prepared((db: Db | Tx, fields: Changeable[]) =>
  db
    .update(memories)
    .set(Object.fromEntries(fields.map((field) => [field, sql.placeholder(field)])))
    .from(images)
    .where(
      and(
        isMemoryOf(sql`${sql.placeholder('ownerId')}`, { id: sql.placeholder('id') }),
        eq(images.id, memories.imageId),
      ),
    )
    .returning(memoryColumns)
    .prepare(nameOfUpdate(fields)),
);

/** Returns the updated row. @throws NotFoundError like `findMemory` returns null */
export async function updateMemory(
  db: Db | Tx,
  ownerId: string,
  id: string,
  changes: MemoryChanges,
): Promise<MemoryRow> {
  const fields = (Object.keys(changes) as Changeable[]).toSorted();
  if (fields.length === 0) return getMemory(db, ownerId, id);
  const [row] = await updateStatement(db, fields).execute({ ...changes, ownerId, id });
  if (!row) throw new NotFoundError();
  return row;
}

/** Also of one in the trash. */
export async function findMemoryPetId(tx: Tx, ownerId: string, id: string): Promise<string | null> {
  const [row] = await tx
    .select({ petId: memories.petId })
    .from(memories)
    .where(and(eq(memories.ownerId, ownerId), eq(memories.id, id)));
  return row?.petId ?? null;
}

/**
 * Also those in the trash. In the order of their ids, so that concurrent calls do not wait for each other in a circle. Without their
 * texts, which may be large.
 */
export function lockMemories(tx: Tx, ownerId: string, ids: string[]): Promise<LockedMemory[]> {
  const { id, petId, memoryDay, memoryTime, dateSource, deletedAt } = memories;
  return tx
    .select({ id, petId, memoryDay, memoryTime, dateSource, deletedAt })
    .from(memories)
    .where(and(eq(memories.ownerId, ownerId), sql`${memories.id} = any(${sql.param(ids)}::uuid[])`))
    .orderBy(memories.id)
    .for('no key update');
}

export type LockedMemory = Pick<
  typeof memories.$inferSelect,
  'id' | 'petId' | 'memoryDay' | 'memoryTime' | 'dateSource' | 'deletedAt'
>;

/** Also of those in the trash. */
export function listTexts(tx: Tx, ownerId: string, ids: string[]) {
  const { id, caption, tags } = memories;
  return tx
    .select({ id, ownerId: memories.ownerId, caption, tags })
    .from(memories)
    .where(and(eq(memories.ownerId, ownerId), sql`${memories.id} = any(${sql.param(ids)}::uuid[])`));
}

/** `addedTags` follow the tags that a memory has. Earlier releases stored tags that are not composed. */
export async function updateMemories(
  tx: Tx,
  ownerId: string,
  ids: string[],
  {
    addedTags = [],
    removedTags = [],
    ...changes
  }: Omit<MemoryChanges, 'tags'> & { addedTags?: string[] | undefined; removedTags?: string[] | undefined },
): Promise<void> {
  const { tags } = memories;
  const kept = sql`select tag from unnest(${tags}) with ordinality as own(tag, ordinal)
    where normalize(tag) <> all(${sql.param(removedTags)}::text[]) order by ordinal`;
  const added = sql`select tag from unnest(${sql.param(addedTags)}::text[]) as tag
    where tag not in (select normalize(own) from unnest(${tags}) as own)`;
  await tx
    .update(memories)
    .set({ ...changes, tags: sql`array(${kept}) || array(${added})` })
    .where(isMemoryOf(ownerId, { ids }));
}

/** Without their names in JSON. Tags beyond 256 KiB come from earlier releases. */
const textBytes = sql<number>`coalesce(octet_length(${memories.caption}), 0) + octet_length(array_to_string(${memories.tags}, ' '))`;

/**
 * At least about `textBytes`, without reading texts from TOAST: a page looks at the sizes of many more memories than it returns.
 * Compressed tags that are still large count as the largest that a request can set.
 */
export const pageTextBytes = sql<number>`coalesce(octet_length(${memories.caption}), 0) + case
  when pg_column_compression(${memories.tags}) is null then pg_column_size(${memories.tags})
  when pg_column_size(${memories.tags}) < 1000 then octet_length(array_to_string(${memories.tags}, ' '))
  else greatest(pg_column_size(${memories.tags}), ${sql.raw(String(MAX_TAG_BYTES))}) end`;

/** Of all these memories together, and of the tags of that which has the most. */
export async function sumTextBytes(
  tx: Tx,
  ownerId: string,
  ids: string[],
): Promise<{ all: number; mostTags: number }> {
  const [sums] = await tx
    .select({
      all: sql`coalesce(sum(${textBytes}), 0)`.mapWith(Number),
      mostTags: sql`coalesce(max(octet_length(array_to_string(${memories.tags}, ' '))), 0)`.mapWith(Number),
    })
    .from(memories)
    .where(isMemoryOf(ownerId, { ids }));
  return sums ?? { all: 0, mostTags: 0 };
}

export function selectMemories(db: Db | Tx) {
  return db.select(memoryColumns).from(memories).innerJoin(images, eq(images.id, memories.imageId));
}

export const orderings: Record<MemoryOrder, SQL[]> = {
  added: [desc(memories.createdAt), desc(memories.id)],
  taken: [desc(memories.takenAt), desc(memories.createdAt), desc(memories.id)],
};

export function findMemories(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  order: MemoryOrder,
): Promise<MemoryRow[]> {
  return selectMemories(db)
    .where(isMemoryOf(ownerId, filters))
    .orderBy(...orderings[order]);
}

export async function listMemoryIds(
  db: Db,
  ownerId: string,
  filters: MemoryFilters,
  order: MemoryOrder,
): Promise<string[]> {
  const rows = await db
    .select({ id: memories.id })
    .from(memories)
    .where(isMemoryOf(ownerId, filters))
    .orderBy(...orderings[order]);
  return rows.map((row) => row.id);
}
